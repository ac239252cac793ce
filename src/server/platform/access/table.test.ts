import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Route } from '#shared/platform/http.ts'
import { ask, nameOf } from '#tests/access/ask.ts'
import type { Described } from '#tests/access/calls/described.ts'
import { calls } from '#tests/access/calls.ts'
import { carriedBy, fillHouse, levels, people, type Who, whoMay } from '#tests/access/people.ts'
import { renderTable, type TableRow } from '#tests/access/render.ts'
import { someThings, type Things } from '#tests/access/things.ts'
import { startApp, type TestApp } from '#tests/app.ts'
import { features } from '../../features.ts'

let app: TestApp
let url: string
let house: Awaited<ReturnType<typeof fillHouse>>
let routes: Route[] = []

beforeAll(async () => {
  app = await startApp({
    features: [
      ...features,
      (server) => {
        routes = server.routes
      },
    ],
  })
  url = await app.listen()
  house = await fillHouse(app)
})
afterAll(() => app.close())

const reads = ({ route }: Pick<Line, 'route'>) => route.method === 'GET'

/** A row of the table: a route with one way of calling it, on private or shared things. */
type Line = { route: Route; call: Described; isShared: boolean }

function linesOf(route: Route): Line[] {
  return (calls[nameOf(route)] ?? []).flatMap((call) => {
    const wishes = [route.may, call.names, call.shows?.thing]
    const canBeShared = wishes.some((wish) => /(assistant|prompt|tool|tool-set)$/.test(wish ?? ''))
    return (canBeShared ? [false, true] : [false]).map((isShared) => ({ route, call, isShared }))
  })
}

function expected({ route, call, isShared }: Line): Who[] {
  const wishes = [route.may, call.names, call.shows?.thing].filter((wish) => wish != null)
  return levels[route.access].filter(
    (who) =>
      (call.orSuperAdmin && who === 'super admin') ||
      (wishes.every((wish) => whoMay(wish, isShared).includes(who)) &&
        (who !== 'API key' || route.access === 'public' || route.scope !== undefined) &&
        (who !== 'visitor' || route.access !== 'user' || route.visitors === true)),
  )
}

/** Returns things of a kind to call a route with. Reads share theirs; a write that got through has used them up. */
function thingsOf({ route, isShared }: Line, stock: Map<string, Promise<Things>>) {
  const hasVectors = route.path.startsWith('/vector_db')
  const kind = JSON.stringify({ isShared, hasVectors })
  const next = () => {
    const made = stock.get(kind) ?? someThings(app, { ...house, isShared, hasVectors })
    stock.set(kind, made)
    return made
  }
  return { next, spend: () => stock.delete(kind) }
}

/** Calls the route as each kind of caller and returns who gets through. */
async function measure(line: Line, stock: Map<string, Promise<Things>>): Promise<Who[]> {
  const through: Who[] = []
  const { next, spend } = thingsOf(line, stock)
  for (const who of people) {
    const things = await next()
    const { status, code, text } = await ask(
      line.route,
      line.call,
      things,
      url,
      await carriedBy(app, house, who),
    )
    expect(status, `${who}: ${nameOf(line.route)} ${text}`).toBeLessThan(500)
    const isRefused = ['unauthenticated', 'invalid_api_key', 'forbidden', 'not_found'].includes(code)
    const { shows } = line.call
    if (isRefused || (shows && !text.includes(shows.id(things)))) continue
    through.push(who)
    if (!reads(line)) spend()
  }
  return through
}

describe('access table', () => {
  it('describes every route and no others [AD-19]', () => {
    expect(Object.keys(calls).sort()).toEqual(routes.map(nameOf).sort())
  })

  it('matches docs/access.md for every caller and route [AD-19]', { timeout: 900_000 }, async () => {
    const table: TableRow[] = []
    const wrong: string[] = []
    const lines = routes.flatMap(linesOf)
    const found = new Map<Line, Who[]>()
    const stock = new Map<string, Promise<Things>>()
    // Reads come first, before other calls delete the data they share.
    for (const line of [...lines.filter(reads), ...lines.filter((one) => !reads(one))])
      found.set(line, await measure(line, stock))
    for (const line of lines) {
      const through = found.get(line) ?? []
      const should = expected(line)
      if (through.join() !== people.filter((who) => should.includes(who)).join())
        wrong.push(`${nameOf(line.route)}: ${through.join(', ')} instead of ${should.join(', ')}`)
      table.push({ ...line, through })
    }
    expect(wrong).toEqual([])
    await expect(renderTable(table)).toMatchFileSnapshot('../../../../docs/access.md')
  })
})
