import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FuzzedProduct, type Measured, startFuzzedProduct } from '../support/fuzz/fuzzed-product.ts'
import { atTheirLimit, bodyShapes } from '../support/fuzz/limits.ts'
import type { FuzzedRequest } from '../support/fuzz/requests.ts'
import { type RouteToFuzz, readRoutes } from '../support/fuzz/routes.ts'
import { fillProduct, type People, type Who } from '../support/fuzz/rows.ts'
import { send } from '../support/fuzz/send.ts'

const STALL_MS = 50
const GROWTH = 64 * 1024 * 1024
const TRIES = 4
const budgetMs = process.env.FAULTS_REQUESTS ? Number.POSITIVE_INFINITY : 25_000

let fuzzed: FuzzedProduct
let routes: RouteToFuzz[]
let people: People
beforeAll(async () => {
  fuzzed = await startFuzzedProduct()
  people = await fillProduct(fuzzed)
  routes = (await readRoutes(fuzzed.product.url)).filter(({ access }) => access !== 'super_admin')
})
afterAll(() => fuzzed.close())

/** What was too slow or too large, by the route and the request; the least of several tries. */
type Found = { what: string; stalledMs: number; grewMb: number; status: number }

describe('a single request at its limit holds up nobody: under 50 ms of the event loop, under 64 MB', () => {
  it('in every field of its body, its query, its path and its headers', async () => {
    const all = routes.flatMap((route) =>
      atTheirLimit(route, people.known).map(({ what, asked }) => ({
        route,
        what: `${route.name} ${what}`,
        asked,
      })),
    )
    expect(await measureAll(all)).toEqual([])
  })

  // Takes minutes: only where the number of requests is asked for.
  it.runIf(process.env.FAULTS_REQUESTS)('in a body that is as large as may be', async () => {
    const taking = routes.filter(
      ({ method, path }) => !['GET', 'DELETE'].includes(method) && path !== '/input-files',
    )
    const all = taking.flatMap((route) =>
      bodyShapes(route, people.known).map(({ what, asked }) => ({
        route,
        what: `${route.name} ${what}`,
        asked,
      })),
    )
    expect(await measureAll(all)).toEqual([])
  })
})

type ToMeasure = { route: RouteToFuzz; what: string; asked: FuzzedRequest }

/** Spread over the time there is: when it is short, every nth of them. */
async function measureAll(all: ToMeasure[]): Promise<Found[]> {
  const until = performance.now() + budgetMs
  const found: Found[] = []
  let done = 0
  for (const one of shuffled(all)) {
    if (performance.now() > until) break
    const worst = await measure(one)
    if (worst) found.push(worst)
    if (++done % 25 === 0) await fuzzed.db.deleteFrom('rate_limits').execute()
  }
  console.log(`${done} of ${all.length} requests measured`)
  return found.sort((a, b) => b.stalledMs - a.stalledMs)
}

async function measure({ route, what, asked }: ToMeasure): Promise<Found | null> {
  let best: Found | null = null
  for (let n = 0; n < TRIES; n += 1) {
    const who: Who =
      route.access === 'public' ? 'anonymous' : route.access === 'admin' ? 'company_admin' : 'user'
    await fuzzed.reset()
    const { status } = await send(fuzzed.product.url, asked, people.tokens[who]).catch(() => ({ status: 0 }))
    const { stalledMs, grewBytes } = await settle()
    const grewMb = Math.round(grewBytes / 1024 / 1024)
    if (stalledMs < STALL_MS && grewBytes < GROWTH) return null
    const now = { what, stalledMs: Math.round(stalledMs), grewMb, status }
    if (!best || now.stalledMs < best.stalledMs) best = now
  }
  return best
}

/** What goes on after the answer, such as a run, counts as well. */
async function settle(): Promise<Measured> {
  await new Promise((resolve) => setTimeout(resolve, 10))
  return fuzzed.read()
}

function shuffled<One>(all: One[]): One[] {
  return all
    .map((one, n) => ({ one, at: (n * 7_919) % 10_007 }))
    .sort((a, b) => a.at - b.at)
    .map(({ one }) => one)
}
