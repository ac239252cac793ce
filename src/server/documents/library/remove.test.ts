import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Chat, startChat } from '../../../../tests/support/chat.ts'
import { aReader } from '../../../../tests/support/documents.ts'

let chat: Chat
beforeAll(async () => {
  chat = await startChat()
})
afterAll(() => chat.close())

it('a document is deleted while what reads it says how far it is: neither waits for the other', async () => {
  const { upload, call, processed } = await aReader(chat.app, chat.url, chat.user)
  const { id } = (await upload({ name: 'note.txt', content: 'Notice: six months.' })).body
  await processed(id)
  const { db } = chat.app.deps
  const { reading_id } = await db
    .selectFrom('documents')
    .select('reading_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const removed = await db.transaction().execute(async (trx) => {
    await sql`select from readings where id = ${reading_id} for update`.execute(trx)
    const removal = call('DELETE', `/documents/${id}`)
    // It waits for the reading; only then the reader goes on, to the documents.
    await expect
      .poll(async () => {
        const { rows } = await sql`select from pg_stat_activity where wait_event_type = 'Lock'
          and datname = current_database()`.execute(db)
        return rows.length
      })
      .toBe(1)
    await sql`update readings set language = 'xx' where id = ${reading_id}`.execute(trx)
    return { removal }
  })
  expect((await removed.removal).status).toBe(204)
  expect((await call('GET', `/documents/${id}`)).status).toBe(404)
})
