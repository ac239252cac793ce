import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/**
 * `npm run publish-api`: stores the current API description as the published one and prints the additions. Fails when
 * a published part is missing, or when the changelog does not begin with the current API version.
 */
const env = { ...process.env, PUBLISH_API: '1' }
const test = 'src/server/platform/http/description/additive.test.ts'
const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url))
const args = [vitest, 'run', '--project', 'server', test]
const { status } = spawnSync(process.execPath, args, { stdio: 'inherit', env })
process.exit(status ?? 1)
