import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aUser, type TestUser } from '#tests/builders.ts'
import { longChats } from '#tests/long-chats.ts'

const COUNT = 60

let app: TestApp
let user: TestUser
beforeAll(async () => {
  app = await startApp()
  user = await aUser(app)
  await longChats(app, user, { chats: COUNT, messages: 2 })
  // A run's question may be long; it appears in the session and in the inbox.
  const asked = sql`jsonb_build_object('type', 'input_required', 'id', 'q', 'prompt', repeat('why ', 25000))`
  await sql`update sessions set pending_input = ${asked} where user_id = ${user.id}`.execute(app.deps.db)
  await sql`
    insert into input_requests (run_id, key, user_id, session_id, checkpoint_name, request)
    select id, 'q', user_id, session_id, 'waiting', ${asked} from runs where user_id = ${user.id}`.execute(
    app.deps.db,
  )
})
afterAll(() => app.close())

type Listed = { items: { id?: string; run_id?: string }[]; total: number }

/** Reads a list to its end page by page, as the browser does. */
async function readAll(path: string): Promise<Set<string | undefined>> {
  const seen = new Set<string | undefined>()
  for (;;) {
    const url = `/api/v1${path}&skip=${seen.size}`
    const { payload } = await app.http.inject({ url, headers: user.headers })
    expect(Buffer.byteLength(payload)).toBeLessThan(2_500_000)
    const { items, total } = JSON.parse(payload) as Listed
    expect(total).toBe(COUNT)
    for (const { id, run_id } of items) seen.add(id ?? run_id)
    if (seen.size >= total || items.length === 0) return seen
  }
}

it('limits a page of chats in bytes, and the next page continues after it', async () => {
  expect((await readAll('/sessions?limit=200')).size).toBe(COUNT)
  expect((await readAll('/sessions?limit=200&q=message')).size).toBe(COUNT)
})

it('limits a page of the inbox in bytes, and the next page continues after it', async () => {
  expect((await readAll('/input-requests?status=waiting&limit=200')).size).toBe(COUNT)
})
