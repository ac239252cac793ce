import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/**
 * `npm run publish-api`: keeps today's description of the API as the one programs may rely on, and says what is new in it. It
 * fails while something that was published is gone, or the changelog does not begin with the version of the contracts.
 */
const env = { ...process.env, PUBLISH_API: '1' }
const test = 'src/server/platform/http/description/additive.test.ts'
const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url))
const args = [vitest, 'run', '--project', 'server', test]
const { status } = spawnSync(process.execPath, args, { stdio: 'inherit', env })
process.exit(status ?? 1)
