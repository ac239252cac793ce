import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { createApp } from '../src/server/app.ts'
import { compose } from '../src/server/compose.ts'
import { createFindCaller, hashSecret } from '../src/server/identity/accounts/tokens/access-token-store.ts'
import type { ModelDeps } from '../src/server/models/model-deps.ts'
import { createModels } from '../src/server/models/models/models.ts'
import { openPlatform } from '../src/server/open-platform.ts'
import { parseConfig } from '../src/server/platform/config/config.ts'
import { startPostgres } from '../src/server/platform/db/db.ts'
import { createLog } from '../src/server/platform/log.ts'
import { PASSWORD } from '../tests/support/account.ts'
import { median, round } from './measure/statistics.ts'
import { below } from './measure/targets.ts'

const CHECKS = 5_000
const WARM_UP = 500

/** Measures the fixed cost of a request: one access token check, compared with an empty query. */
export async function run(): Promise<object> {
  const dataDir = mkdtempSync(join(tmpdir(), 'atrium-bench-'))
  const log = createLog('warn')
  const postgres = await startPostgres({ dataDir, log })
  const config = parseConfig({ ATRIUM_DATA_DIR: dataDir })
  const { address } = postgres
  const platform = await openPlatform({ config, address, log, models: createModels })
  try {
    const token = await signIn(platform.deps)
    const floor = await timeEach(() => sql`select 1`.execute(platform.deps.db))
    const findCaller = createFindCaller(platform.deps)
    const check = await timeEach(() =>
      findCaller(hashSecret(token), { userAgent: null, address: '127.0.0.1' }),
    )
    return {
      checks: CHECKS,
      empty_query_p50_ms: round(median(floor), 3),
      token_check_p50_ms: round(median(check), 3),
      token_check_p99_ms: round(check.sort((a, b) => a - b)[Math.floor(CHECKS * 0.99)] ?? Number.NaN, 3),
      targets: [below('one check of an access token, p50', round(median(check), 2), 1, 'ms')],
    }
  } finally {
    await platform.close()
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function signIn(deps: ModelDeps): Promise<string> {
  const http = createApp(compose(deps))
  const account = { username: 'ada', email: 'ada@example.com', password: PASSWORD }
  await http.inject({ method: 'POST', url: '/api/v1/users', payload: account })
  const payload = new URLSearchParams({ username: 'ada', password: PASSWORD }).toString()
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const answer = await http.inject({ method: 'POST', url: '/api/v1/token', headers, payload })
  await http.close()
  return answer.json().access_token
}

/** Returns the milliseconds of sequential calls. */
async function timeEach(work: () => Promise<unknown>): Promise<number[]> {
  for (let n = 0; n < WARM_UP; n += 1) await work()
  const times: number[] = []
  for (let n = 0; n < CHECKS; n += 1) {
    const started = performance.now()
    await work()
    times.push(performance.now() - started)
  }
  return times
}
