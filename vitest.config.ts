import { availableParallelism } from 'node:os'
import react from '@vitejs/plugin-react'
import { configDefaults, defineConfig } from 'vitest/config'

const workers = Math.max(2, Math.min(4, availableParallelism() - 1))
const slow = { testTimeout: 120_000, hookTimeout: 120_000 }

export default defineConfig({
  test: {
    maxWorkers: workers,
    exclude: configDefaults.exclude,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          testTimeout: 20_000,
          include: [
            'src/shared/**/*.test.ts',
            'src/parsers/**/*.test.ts',
            'src/*.test.ts',
            'scripts/**/*.test.ts',
          ],
        },
      },
      {
        extends: true,
        plugins: [react()],
        test: {
          name: 'web',
          testTimeout: 20_000,
          environment: 'jsdom',
          setupFiles: ['tests/support/web-setup.ts'],
          include: ['src/web/**/*.test.{ts,tsx}', 'src/{tools,viewers}/**/*.test.tsx'],
        },
      },
      {
        extends: true,
        test: {
          name: 'server',
          include: [
            'src/server/**/*.test.ts',
            'src/tools/**/*.test.ts',
            'tests/journals/**/*.test.ts',
            // Not a test: it writes what the tests read, when asked to.
            ...(process.env.RECORD_JOURNALS ? ['tests/journals/record.ts'] : []),
          ],
          globalSetup: ['tests/support/cluster.ts'],
          testTimeout: 40_000,
          hookTimeout: 40_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['tests/e2e/**/*.test.ts'],
          ...slow,
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'faults',
          include: ['tests/faults/**/*.test.ts'],
          globalSetup: ['tests/support/cluster.ts'],
          ...slow,
          fileParallelism: false,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
})
