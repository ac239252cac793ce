import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aUser, type TestUser } from '#tests/builders.ts'

const CHATS = 1_000
const ROUNDS = 60
/** A list of 1,000 chats answers within this time. The median, because other tests slow some of the requests. */
const MAX_MEDIAN_MS = 200

let app: TestApp
let user: TestUser
beforeAll(async () => {
  app = await startApp()
  user = await aUser(app)
  const { db } = app.deps
  await sql`
    insert into sessions (user_id, title, status, preview, updated_at, activity)
    select ${user.id}, 'Chat ' || n, 'COMPLETED', repeat('Words of the reply. ', 8), now() - n * interval '1 hour', 1
    from generate_series(1, ${CHATS}::int) n`.execute(db)
  // A third is archived, a third tagged, 32 are pinned.
  await sql`
    insert into session_marks (user_id, session_id, position, archived_at, tags, seen)
    select user_id, id, case when place <= 32 then place end, case when place % 3 = 0 and place > 32 then now() end,
      case when place % 3 = 1 then array['Achats', 'FR'] else '{}' end, 1
    from (select *, row_number() over (order by updated_at desc) as place from sessions where user_id = ${user.id}) s`.execute(
    db,
  )
})
afterAll(() => app.close())

async function medianOf(path: string): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = performance.now()
    const { statusCode } = await app.http.inject({ url: `/api/v1${path}`, headers: user.headers })
    expect(statusCode).toBe(200)
    times.push(performance.now() - start)
  }
  return times.sort((a, b) => a - b)[ROUNDS / 2] ?? Number.POSITIVE_INFINITY
}

it.each(['/sessions', '/sessions?archived=true', '/sessions?tags=Achats,FR', '/session-marks/tags'])(
  'lists %s of 1,000 chats in time',
  async (path) => {
    await medianOf(path)
    expect(await medianOf(path)).toBeLessThan(MAX_MEDIAN_MS)
  },
)
