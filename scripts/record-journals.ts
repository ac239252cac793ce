import { spawnSync } from 'node:child_process'

/** `npm run record-journals`: records missing journals in `tests/journals`; existing ones stay unchanged. */
const env = { ...process.env, RECORD_JOURNALS: '1' }
const { status } = spawnSync('vitest', ['run', '--project', 'server', 'tests/journals/record'], {
  ...{ stdio: 'inherit', env },
})
process.exit(status ?? 1)
