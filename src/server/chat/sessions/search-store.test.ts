import { getPriority } from 'node:os'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aUser } from '#tests/builders.ts'
import { longChats } from '#tests/long-chats.ts'
import { searchFairly } from './search-store.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

/** A search that occupies the database for some seconds. */
const takes = (seconds: number) => async (trx: Kysely<never>) => {
  await sql`select pg_sleep(${seconds})`.execute(trx)
}
const search = (userId: string, seconds: number) =>
  searchFairly(app.deps.searchDb, userId, takes(seconds) as never)

describe('fair search scheduling', () => {
  it('aborts a search that takes too long and says what to do', async () => {
    const failure = await search('a', 60).catch((error) => error)
    expect(failure).toMatchObject({ code: 'search_too_long', status: 503 })
    // The connection remains usable for the next search.
    await search('a', 0)
  })

  it('serves another user before the next of several searches of one user', async () => {
    const done: string[] = []
    const note = (name: string) => () => void done.push(name)
    const all = Array.from({ length: 5 }, (_, at) => search('greedy', 0.2).then(note(`greedy ${at}`)))
    await Promise.all([...all, search('modest', 0.2).then(note('modest'))])
    expect(done.indexOf('modest')).toBeLessThan(2)
    expect(done.filter((name) => name !== 'modest')).toEqual([0, 1, 2, 3, 4].map((at) => `greedy ${at}`))
  })

  it('gives other queries priority on the built-in database', async () => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(app.deps.searchDb)
    expect(getPriority(rows[0]?.pid)).toBeGreaterThan(getPriority())
  })

  it("delays only the same user's next search after a slow one", async () => {
    const timeOf = async (work: Promise<unknown>) => {
      const started = performance.now()
      await work
      return performance.now() - started
    }
    await search('slow', 0.6)
    const [own, others] = await Promise.all([timeOf(search('slow', 0)), timeOf(search('quick', 0))])
    expect(own).toBeGreaterThan(800)
    expect(others).toBeLessThan(500)
  })

  it("refuses searches over the user's queue limit", async () => {
    const answers = await Promise.allSettled(Array.from({ length: 12 }, () => search('greedy', 0.05)))
    const refused = answers.filter(({ status }) => status === 'rejected')
    expect(refused).toHaveLength(3)
    expect(refused[0]).toMatchObject({ reason: { code: 'rate_limited' } })
  })
})

describe('a search across everything', () => {
  it('returns the total count on every page', async () => {
    const user = await aUser(app)
    await longChats(app, user, { chats: 7, messages: 3, bare: true })
    const read = async (query: string) =>
      (await app.http.inject({ url: `/api/v1/sessions?q=MESSAGE&${query}`, headers: user.headers })).json()
    const first = await read('limit=5')
    expect(first).toMatchObject({ total: 7, items: { length: 5 } })
    expect(first.items[0].match).toBe('\u{E000}Message\u{E001} 3')
    const second = await read('limit=5&skip=5')
    expect(second).toMatchObject({ total: 7, items: { length: 2 } })
    expect(new Set([...first.items, ...second.items].map(({ id }) => id)).size).toBe(7)
    expect(await read('skip=20')).toEqual({ items: [], total: 7, pinned: [] })
  })
})
