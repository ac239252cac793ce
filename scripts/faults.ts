import { spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'

/**
 * `npm run faults -- --count N --seed S [--only kill|reload|agents|database]`: the fault tests at their full counts;
 * `--kills N`: only the kills under the four agents, of that many replies.
 */
const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '30' },
    seed: { type: 'string', default: String(randomInt(1, 2 ** 31)) },
    kills: { type: 'string', default: '' },
    only: { type: 'string', default: '' },
  },
})
const env = { ...process.env, FAULTS_COUNT: values.kills || values.count, FAULTS_SEED: values.seed }
const only = values.only || (values.kills ? 'agents' : '')
const { status } = spawnSync(
  'vitest',
  ['run', '--project', 'faults*', '--project', 'smoke', `tests/faults/${only}`],
  { stdio: 'inherit', env },
)
process.exit(status ?? 1)
