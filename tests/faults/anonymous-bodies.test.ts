import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answers, attackFromElsewhere, sendAsCrowd, timeRequests } from '../support/fuzz/crowd.ts'
import { type FuzzedProduct, startFuzzedProduct } from '../support/fuzz/fuzzed-product.ts'
import { type HeavyBody, heavyBodies } from '../support/fuzz/heavy-bodies.ts'
import { type RouteToFuzz, readRoutes } from '../support/fuzz/routes.ts'
import { fillProduct, type People } from '../support/fuzz/rows.ts'

/** If set, every route gets bodies of every content type; otherwise every kind of route gets one of each size. */
const isWhole = Boolean(process.env.FAULTS_REQUESTS)
const timeout = isWhole ? 3_600_000 : 115_000
const CONNECTIONS = 12
/** Maximum CPU time between two yields of the event loop. */
const STALL_MS = 50
const TRIES = 4
const ROUNDS = 3
const ATTACK_MS = isWhole ? 20_000 : 5_000

let fuzzed: FuzzedProduct
let people: People
let targets: { method: string; path: string }[]
let shared: FuzzedProduct
beforeAll(async () => {
  fuzzed = await startFuzzedProduct()
  // Anonymous callers share the limits of the product's defaults.
  shared = await startFuzzedProduct({ ATRIUM_LIMIT_SHARE_PERCENT: '8' })
  people = await fillProduct(shared)
  const routes = (await readRoutes(fuzzed.product.url)).filter(({ method }) => method !== 'GET')
  const isChosen = ({ access }: RouteToFuzz, n: number) => isWhole || access === 'public' || n % 40 === 0
  const described = routes.filter(isChosen).map(({ method, path, base }) => ({
    ...{ method, path: (base === '/v1' ? '' : '/api/v1') + path.replace(/[{}]/g, '') },
  }))
  targets = [...described, ...outsideContracts]
})
afterAll(async () => {
  await fuzzed.close()
  await shared.close()
})

/** Addresses served outside the contracts, and addresses not served at all. */
const outsideContracts = [
  ...['POST /scim/v2/Users', 'PUT /scim/v2/Users/x', 'PATCH /scim/v2/Groups/x', 'DELETE /scim/v2/Users/x'],
  ...['POST /scim/v2/nothing', 'POST /mcp', 'DELETE /mcp', 'POST /oauth/register', 'POST /oauth/token'],
  ...[
    'POST /oauth/revoke',
    'POST /v1/nothing',
    'POST /api/v1/nothing',
    'PUT /nothing',
    'DELETE /assets/x.js',
  ],
  ...[
    'POST /login/google',
    'POST /metrics',
    'POST /',
    'POST /%',
    'SEARCH /nothing',
    'GET /nothing',
    'GET /api/v1/health',
  ],
  ...['POST /api/v1/login/saml/callback', 'POST /api/v1/login/apple/callback'],
].map((name) => ({ method: name.split(' ')[0] ?? '', path: name.split(' ')[1] ?? '' }))

describe('bodies of twelve anonymous connections', () => {
  it('never stall the event loop, whatever their content and route', { timeout }, async () => {
    const answers: Answers = new Map()
    const stalls: { what: string; stalledMs: number }[] = []
    const bodies = heavyBodies({ isThin: !isWhole })
    // A sweep sends each body once, twelve concurrently. The full test sends twelve copies of one body per content
    // type concurrently; shapes and sizes take turns from route to route.
    const byType = Object.values(Object.groupBy(bodies, ({ headers }) => JSON.stringify(headers)))
    const burstsFor = (n: number) =>
      byType.map((all = []) => Array<HeavyBody>(CONNECTIONS).fill(all[n % all.length] as HeavyBody))
    for (const [n, target] of targets.entries())
      for (const burst of isWhole ? burstsFor(n) : [bodies]) {
        let stalledMs = Number.POSITIVE_INFINITY
        // Code is loaded and compiled only in the first attempt.
        for (let n = 0; n < TRIES && stalledMs >= STALL_MS; n += 1) {
          await fuzzed.reset()
          const waiting = burst.map((body) => ({ ...target, ...body }))
          const sent = await sendAsCrowd(fuzzed.product.url, CONNECTIONS, () => waiting.shift() ?? null)
          for (const [status, count] of sent) answers.set(status, (answers.get(status) ?? 0) + count)
          stalledMs = Math.min(stalledMs, Math.round((await fuzzed.read()).stalledMs))
        }
        stalls.push({ what: `${target.method} ${target.path} ${isWhole ? burst[0]?.what : ''}`, stalledMs })
      }
    stalls.sort((a, b) => b.stalledMs - a.stalledMs)
    console.log(`${stalls.length} bursts; the worst:`, stalls.slice(0, 5), answers)
    expect(stalls.filter(({ stalledMs }) => stalledMs >= STALL_MS)).toEqual([])
    // An early answer reaches a client that is still sending.
    expect(answers.get(0) ?? 0).toBe(0)
    expect(fuzzed.isSameProcess()).toBe(true)
  })

  it('delay other requests little, and a health probe hardly at all', { timeout }, async () => {
    const { url } = shared.product
    const headers = { authorization: `Bearer ${people.tokens.user}` }
    const measure = async (ms: number) => {
      const until = performance.now() + ms
      const isOver = () => performance.now() > until
      return Promise.all([
        timeRequests(`${url}/api/v1/sessions`, headers, isOver),
        timeRequests(`${url}/api/v1/health`, {}, isOver),
      ])
    }
    await measure(1_000)
    // Rounds alternate and the best one counts, because other load on the machine can only slow a round.
    const rounds: { added: number; probe: number }[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      const [idle] = await measure(ATTACK_MS / 2)
      const attack = await attackFromElsewhere({
        ...{
          url,
          connections: CONNECTIONS,
          targets,
          bodies: isWhole ? 'all' : 'some',
          seed: round,
          ms: ATTACK_MS + 300,
        },
      })
      await sleep(300)
      const [others, probe] = await measure(ATTACK_MS)
      console.log('idle', idle, 'under attack', others, 'probe', probe, await attack.answers)
      rounds.push({ added: others.p95 - 2 * idle.p95, probe: probe.max })
    }
    expect(Math.min(...rounds.map(({ added }) => added))).toBeLessThan(isWhole ? 1 : 25)
    expect(Math.min(...rounds.map(({ probe }) => probe))).toBeLessThan(250)
  })
})
