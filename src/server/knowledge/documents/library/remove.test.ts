import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Chat, startChat } from '#tests/chat.ts'
import { aReader, type Reader } from '#tests/documents.ts'

let chat: Chat
let reader: Reader
beforeAll(async () => {
  chat = await startChat()
  reader = await aReader(chat.app, chat.url, chat.user)
})
afterAll(() => chat.close())

/** Uploads a document and waits until it is read. */
async function aReadDocument(content: string, fields: Record<string, string> = {}) {
  const { id } = (await reader.upload({ name: 'note.txt', content, fields })).body
  await reader.processed(id)
  const found = chat.app.deps.db.selectFrom('documents').select('reading_id').where('id', '=', id)
  return { id, ...(await found.executeTakeFirstOrThrow()) }
}

/** Waits until `count` statements wait for a lock. */
async function untilWaiting(count: number): Promise<void> {
  const waiting = sql`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
  await expect.poll(async () => (await waiting.execute(chat.app.deps.db)).rows.length).toBe(count)
}

/** Calls `begin` while a reading is locked, then `after` in the same transaction. */
function whileLocked<Begun>(
  reading: string,
  begin: () => Promise<Begun>,
  after = async (_: typeof chat.app.deps.db) => {},
) {
  return chat.app.deps.db.transaction().execute(async (trx) => {
    await sql`select from readings where id = ${reading} for update`.execute(trx)
    const begun = await begin()
    await after(trx)
    return begun
  })
}

it('deletes a document while its reading reports progress, without a deadlock', async () => {
  const { id, reading_id } = await aReadDocument('Notice: six months.')
  const begin = async () => {
    const removal = reader.call('DELETE', `/documents/${id}`)
    await untilWaiting(1)
    return { removal }
  }
  const { removal } = await whileLocked(reading_id, begin, async (trx) => {
    await sql`update readings set language = 'xx' where id = ${reading_id}`.execute(trx)
  })
  expect((await removal).status).toBe(204)
  expect((await reader.call('GET', `/documents/${id}`)).status).toBe(404)
})

it('deletes a document and removes it from its workspace concurrently, without a deadlock', async () => {
  const workspace_id = (await reader.call('POST', '/workspaces', { name: 'Leases' })).body.id
  const { id, reading_id } = await aReadDocument('Notice: three months.', { workspace_id })
  expect((await reader.call('GET', `/documents/${id}`)).body.workspace_ids).toEqual([workspace_id])
  const begin = async () => {
    const whole = reader.call('DELETE', `/documents/${id}`)
    await untilWaiting(1)
    const part = reader.call('DELETE', `/documents/${id}?workspace_id=${workspace_id}`)
    await untilWaiting(2)
    return { both: Promise.all([whole, part]) }
  }
  const { both } = await whileLocked(reading_id, begin)
  expect((await both).map(({ status }) => status)).toEqual([204, 204])
})
