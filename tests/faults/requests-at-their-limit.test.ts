import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fillToTheLimit, readingAll } from '../support/fuzz/full-rows.ts'
import { type FuzzedProduct, startFuzzedProduct } from '../support/fuzz/fuzzed-product.ts'
import { atTheirLimit, bodyShapes, type Named } from '../support/fuzz/limits.ts'
import { measureAll, summarise, type ToMeasure, tooCostly } from '../support/fuzz/measure.ts'
import { type RouteToFuzz, readRoutes } from '../support/fuzz/routes.ts'
import { endsTokens, fillProduct, type People, type Who } from '../support/fuzz/rows.ts'

const isWhole = Boolean(process.env.FAULTS_REQUESTS)
/** How many requests of each kind stand for all of them, unless all are asked for. */
const sample = { parts: 350, bodies: 50, rows: 40 }
const timeout = isWhole ? 3 * 3_600_000 : 115_000

let fuzzed: FuzzedProduct
let routes: RouteToFuzz[]
let people: People
beforeAll(async () => {
  fuzzed = await startFuzzedProduct({ ATRIUM_LIMIT_STORAGE_MB: '0' })
  people = await fillProduct(fuzzed)
  routes = (await readRoutes(fuzzed.product.url)).filter(({ access }) => access !== 'super_admin')
})
afterAll(() => fuzzed.close())

const callers: Who[] = ['user', 'company_admin', 'anonymous']
const isChanging = ({ method }: RouteToFuzz) => !['GET', 'DELETE'].includes(method)

describe('a single request at its limit holds up nobody: under 50 ms of the event loop, under 64 MB', () => {
  it('in every field of its body, its query, its path and its headers', { timeout }, async () => {
    await look(requestsOf(routes, atTheirLimit), sample.parts)
  })

  it('in a body that is as large as may be', { timeout }, async () => {
    await look(requestsOf(routes.filter(isChanging), bodyShapes), sample.bodies)
  })

  it('when it writes or reads texts, replies and chats that are as large as may be', {
    timeout,
  }, async () => {
    const full = await fillToTheLimit(fuzzed, people)
    const all = readingAll(routes, full, people.known)
    await look(all, sample.rows)
  })
})

function requestsOf(
  asked: RouteToFuzz[],
  make: (route: RouteToFuzz, known: People['known']) => Named[],
): ToMeasure[] {
  // What takes away what others need comes last.
  const ordered = asked.toSorted((a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'))
  return ordered.flatMap((route) =>
    make(route, people.known).flatMap(({ what, ask }) =>
      callers.map((who) => ({
        ...{ who, ask, endsToken: endsTokens(route) },
        what: `${route.name} ${what}`,
      })),
    ),
  )
}

async function look(all: ToMeasure[], count: number): Promise<void> {
  const chosen = isWhole ? all : spread(all, count)
  const costs = await measureAll(fuzzed, people, chosen)
  console.log(summarise(costs))
  expect(tooCostly(costs)).toEqual([])
  expect(costs.length).toBeGreaterThanOrEqual(Math.min(count, all.length))
  expect(fuzzed.isSameProcess()).toBe(true)
}

/** So many of them, evenly from all over. */
function spread<One>(all: One[], count: number): One[] {
  return all.filter(
    (_, n) => Math.floor((n * count) / all.length) !== Math.floor(((n - 1) * count) / all.length),
  )
}
