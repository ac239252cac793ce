import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { BranchOption } from '#shared/chat/branches/branches.ts'
import { startApp, type TestApp } from '#tests/app.ts'
import { aSession, aUser, type TestUser } from '#tests/builders.ts'

/** More than the maximum number of query parameters. */
const COUNT = 70_000

let app: TestApp
let user: TestUser
let sessionId = ''
let ids: string[] = []
beforeAll(async () => {
  app = await startApp()
  user = await aUser(app)
  sessionId = (await aSession(app, user)).id
  const { rows } = await sql<{ id: string }>`
    insert into messages (session_id, role, content, created_at)
    select ${sessionId}, 'user', 'Hi', now() + n * interval '1 millisecond' from generate_series(1, ${COUNT}) n
    returning id`.execute(app.deps.db)
  ids = rows.map(({ id }) => id)
})
afterAll(() => app.close())

async function optionsOf(at: number): Promise<string[]> {
  const url = `/api/v1/sessions/${sessionId}/messages/${ids[at]}/branches`
  const answer = await app.http.inject({ url, headers: user.headers })
  expect(answer.statusCode).toBe(200)
  return answer.json<BranchOption[]>().map(({ message_id }) => message_id)
}

it('a message with very many alternatives lists the nearest ones, with a neighbour on both sides', async () => {
  expect(await optionsOf(1_000)).toEqual(ids.slice(750, 1_250))
  const first = await optionsOf(0)
  expect(first).toEqual([...ids.slice(0, 250), ...ids.slice(-250)])
  // The alternatives wrap around: the last one precedes the first.
  expect(first.at(-1)).toBe(ids.at(-1))
  const last = await optionsOf(COUNT - 1)
  expect(last).toHaveLength(500)
  expect([last[0], last.at(-2), last.at(-1)]).toEqual([ids[0], ids.at(-2), ids.at(-1)])
})
