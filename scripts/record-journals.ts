import { spawnSync } from 'node:child_process'

/** `npm run record-journals`: records what `tests/journals` has no journal of yet; what is there stays as it is. */
const env = { ...process.env, RECORD_JOURNALS: '1' }
const { status } = spawnSync('vitest', ['run', '--project', 'server', 'tests/journals/record'], {
  ...{ stdio: 'inherit', env },
})
process.exit(status ?? 1)
