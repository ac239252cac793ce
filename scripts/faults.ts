import { spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'

/** `npm run faults -- --count N --seed S [--only kill|reload]`: the fault tests at their full counts. */
const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '30' },
    seed: { type: 'string', default: String(randomInt(1, 2 ** 31)) },
    only: { type: 'string', default: '' },
  },
})
const env = { ...process.env, FAULTS_COUNT: values.count, FAULTS_SEED: values.seed }
const { status } = spawnSync('vitest', ['run', '--project', 'faults', values.only], { stdio: 'inherit', env })
process.exit(status ?? 1)
