import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { configDefaults, defineConfig } from 'vitest/config'
import { folderTexts } from './scripts/folder-texts.ts'
import { LongestFirst } from './tests/support/longest-first.ts'
import { aFolderForTheRun } from './tests/support/memory-folder.ts'

// What every process of the run takes for its temporary folder, unless somebody chose one.
process.env.TMPDIR ??= aFolderForTheRun()

/** Half of the time a test waits, for browsers, databases and clocks, so one file more than there are cores keeps them busy. */
const workers = Math.min(5, availableParallelism() + 1)
/** The files of a worker share what they import: to read it again for each takes longer than most tests. */
const shared = { isolate: false }
/** What starts the whole product comes after what does not: a worker that goes from one project to another reads all of it anew. */
const afterOthers = { sequence: { groupOrder: 1 } }
const slow = { testTimeout: 120_000, hookTimeout: 120_000 }

/** They need code or texts of a page that no other file has had before. */
const afresh = ['src/web/platform/i18n/i18n.test.ts', 'src/web/lifecycle/shell/shell-duties.test.tsx']

/** They measure time, or take the machine for themselves: nothing else runs meanwhile. */
const alone = [
  'anonymous-bodies',
  'anonymous-reads',
  'connectors',
  'deletion',
  'full-disk',
  'hostile-answers',
  'large-results',
  'requests',
  'requests-at-their-limit',
  'search',
].map((name) => `tests/faults/${name}.test.ts`)

/** Journeys and kills that `npm test` runs: the first chat, a reply that is reloaded, documents, a server that is killed. */
const smoke = [
  'tests/e2e/first-chat.test.ts',
  'tests/e2e/streaming.test.ts',
  'tests/faults/kill.test.ts',
  'tests/faults/cron.test.ts',
]

export default defineConfig({
  // Named here, so that nothing is looked for in the folders above the checkout.
  css: { postcss: { plugins: [] } },
  tsconfig: 'tsconfig.web.json',
  test: {
    maxWorkers: workers,
    // By default the cache is in the folder that a workspace file above names.
    fsModuleCachePath: join(import.meta.dirname, 'node_modules', '.vitest-cache'),
    execArgv: ['--import', new URL('scripts/testing/own-packages.ts', import.meta.url).href],
    exclude: configDefaults.exclude,
    sequence: { sequencer: LongestFirst },
    // Every start of the product, also by a test, finds the code compiled.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules', '.cache', 'compile') },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          ...shared,
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
        plugins: [react(), folderTexts()],
        test: {
          name: 'web',
          ...shared,
          testTimeout: 40_000,
          environment: 'jsdom',
          setupFiles: ['tests/support/web/web-setup.ts'],
          include: ['src/web/**/*.test.{ts,tsx}', 'src/{tools,viewers}/**/*.test.tsx'],
          exclude: [...configDefaults.exclude, ...afresh],
        },
      },
      {
        extends: true,
        plugins: [react(), folderTexts()],
        test: {
          name: 'web-afresh',
          testTimeout: 40_000,
          environment: 'jsdom',
          setupFiles: ['tests/support/web/web-setup.ts'],
          include: afresh,
        },
      },
      {
        extends: true,
        test: {
          name: 'server',
          ...shared,
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
          name: 'smoke',
          include: smoke,
          globalSetup: ['tests/support/cluster.ts'],
          ...slow,
          ...afterOthers,
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['tests/e2e/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...smoke],
          globalSetup: ['tests/support/cluster.ts'],
          ...slow,
          ...afterOthers,
        },
      },
      {
        extends: true,
        test: {
          name: 'faults',
          include: ['tests/faults/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...alone, ...smoke],
          globalSetup: ['tests/support/cluster.ts'],
          ...slow,
          ...afterOthers,
        },
      },
      {
        extends: true,
        test: {
          name: 'faults-alone',
          include: alone,
          globalSetup: ['tests/support/cluster.ts'],
          ...slow,
          fileParallelism: false,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
})
