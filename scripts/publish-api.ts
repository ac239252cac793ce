import { spawnSync } from 'node:child_process'

/**
 * `npm run publish-api`: keeps today's description of the API as the one programs may rely on, and says what is new in it. It
 * fails while something that was published is gone, or the changelog does not begin with the version of the contracts.
 */
const env = { ...process.env, PUBLISH_API: '1' }
const test = 'src/server/http/description/additive.test.ts'
const { status } = spawnSync('vitest', ['run', '--project', 'server', test], { stdio: 'inherit', env })
process.exit(status ?? 1)
