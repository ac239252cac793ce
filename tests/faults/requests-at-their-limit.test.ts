import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fillToTheLimit, readingAll } from '../support/fuzz/full-rows.ts'
import { type FuzzedProduct, startFuzzedProduct } from '../support/fuzz/fuzzed-product.ts'
import { atTheirLimit, bodyShapes, type Named } from '../support/fuzz/limits.ts'
import { measureAll, summarise, type ToMeasure, tooCostly } from '../support/fuzz/measure.ts'
import { type RouteToFuzz, readRoutes } from '../support/fuzz/routes.ts'
import { endsTokens, fillProduct, type People, type Who } from '../support/fuzz/rows.ts'
import { createRandom } from './random.ts'

/** If set, one of all requests that are parsed the same way is sent, plus some others; otherwise only a sample. */
const isWhole = Boolean(process.env.FAULTS_REQUESTS)
const seed = Number(process.env.FAULTS_SEED ?? 20261122)
const sample = { parts: 350, bodies: 50, rows: 40 }
/** Number of additional requests similar to another one. */
const others = { parts: 1_000, bodies: 250, rows: 0 }
const timeout = isWhole ? 1_800_000 : 115_000

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

describe('single request at its limit blocks others for under 50 ms and uses under 64 MB', () => {
  it('in every field of its body, its query, its path and its headers', { timeout }, async () => {
    await look(requestsOf(routes, atTheirLimit), 'parts')
  })

  it('in a body of the maximum size', { timeout }, async () => {
    await look(requestsOf(routes.filter(isChanging), bodyShapes), 'bodies')
  })

  it('when it writes or reads texts, replies and chats of the maximum size', {
    timeout,
  }, async () => {
    const full = await fillToTheLimit(fuzzed, people)
    const all = readingAll(routes, full, people.known)
    await look(all, 'rows')
  })
})

type Make = (route: RouteToFuzz, known: People['known']) => Named[]

function requestsOf(asked: RouteToFuzz[], make: Make): ToMeasure[] {
  const isTaking = ({ method }: RouteToFuzz) => method === 'DELETE'
  // Destructive requests are last.
  return [asked.filter((route) => !isTaking(route)), asked.filter(isTaking)].flatMap((routes) =>
    callers.flatMap((who) => routes.flatMap((route) => requestsTo(route, who, make))),
  )
}

function requestsTo(route: RouteToFuzz, who: Who, make: Make): ToMeasure[] {
  return make(route, people.known).map(({ what, like, ask }) => ({
    ...{ who, ask, endsToken: endsTokens(route) },
    ...{ what: `${route.name} ${what}`, like: `${who === 'anonymous'} ${like}` },
  }))
}

async function look(all: ToMeasure[], kind: keyof typeof sample): Promise<void> {
  const chosen = choose(all, kind)
  const costs = await measureAll(fuzzed, people, chosen)
  console.log(`${all.length} requests, ${summarise(costs)}`)
  // A machine with other load is slow, but quadratic work takes seconds on any machine.
  expect(tooCostly(costs, isWhole ? 1 : 3)).toEqual([])
  expect(costs.length).toBe(chosen.length)
  expect(fuzzed.isSameProcess()).toBe(true)
}

/** Draws a random sample with a fixed seed, in the original order. */
function choose(all: ToMeasure[], kind: keyof typeof sample): ToMeasure[] {
  const random = createRandom(seed)
  const mixed = all.map((one, at) => ({ one, at, place: random() })).sort((a, b) => a.place - b.place)
  const first = new Map(mixed.toReversed().map((each) => [each.one.like, each]))
  const standing = [...first.values()].sort((a, b) => a.place - b.place)
  const rest = mixed.filter((each) => first.get(each.one.like) !== each)
  const chosen = isWhole ? [...standing, ...rest.slice(0, others[kind])] : standing.slice(0, sample[kind])
  return chosen.sort((a, b) => a.at - b.at).map(({ one }) => one)
}
