import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { PASSWORD } from '#tests/account.ts'
import { aMessage, aSession, aUser, type TestUser } from '#tests/builders.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { aDocument } from '#tests/stored-document.ts'
import { hashPassword } from '../../identity/accounts/accounts.ts'
import { beginRetention } from './daily.ts'
import { deleteDue } from './delete-due.ts'

const DAY = 86_400_000
let chat: Chat
let ahead = 0
beforeAll(async () => {
  chat = await startChat({ app: { clock: { now: () => new Date(Date.now() + ahead) } } })
})
afterEach(async () => {
  ahead = 0
  await sql`delete from retention_rules`.execute(chat.app.deps.db)
})
afterAll(() => chat.close())

type Kind = 'chat' | 'document'
const as = (user: TestUser) => (method: string, path: string, body?: unknown) =>
  fetch(chat.url + path, {
    method,
    headers: { ...user.headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
const count = async (table: 'sessions' | 'documents', id: string) =>
  (await chat.app.deps.db.selectFrom(table).select('id').where('id', '=', id).execute()).length

/** Creates a chat and a document, and deletes both. */
async function aTrash(user: TestUser) {
  const { id } = await aSession(chat.app, user)
  const { id: messageId } = await aMessage(chat.app, id, { content: 'Hello' })
  await chat.app.deps.db
    .updateTable('sessions')
    .set({ active_leaf: messageId })
    .where('id', '=', id)
    .execute()
  const { documentId } = await aDocument(chat.app, user)
  await as(user)('DELETE', `/sessions/${id}`)
  await as(user)('DELETE', `/documents/${documentId}`)
  return { chatId: id, documentId }
}

const trashOf = async (user: TestUser): Promise<string[]> =>
  ((await (await as(user)('GET', '/trash')).json()) as { items: { id: string }[] }).items.map(({ id }) => id)
const setDays = async (root: TestUser, days: number) =>
  expect((await as(root)('PUT', '/admin/trash', { days })).status).toBe(200)

describe('deleted chats and documents', () => {
  it('stay in the trash for the days chosen, 30 by default, unless retention or erasure comes first [OC-06]', async () => {
    const root = await aUser(chat.app, { role: 'super_admin' })
    const user = await aUser(chat.app)
    const call = as(user)
    const isThere = async ({ chatId, documentId }: { chatId: string; documentId: string }) => [
      await count('sessions', chatId),
      await count('documents', documentId),
    ]
    const restore = async (kind: Kind, id: string) => {
      const answer = await call('POST', '/trash/restore', { items: [{ kind, id }] })
      return ((await answer.json()) as { items: object[] }).items.length
    }
    // 30 days by default, and everything can be restored until then.
    const first = await aTrash(user)
    expect((await trashOf(user)).sort()).toEqual([first.chatId, first.documentId].sort())
    ahead = 30 * DAY - 60_000
    expect([await restore('chat', first.chatId), await restore('document', first.documentId)]).toEqual([1, 1])
    expect((await call('GET', `/sessions/${first.chatId}`)).status).toBe(200)
    expect((await call('GET', `/documents/${first.documentId}`)).status).toBe(200)
    ahead = 0
    // Another number of days.
    await setDays(root, 2)
    const second = await aTrash(user)
    ahead = 2 * DAY + 60_000
    expect(await restore('chat', second.chatId)).toBe(0)
    await chat.app.deps.jobs.add('purge-trash', {})
    await expect.poll(() => isThere(second)).toEqual([0, 0])
    ahead = 0
    // None at all.
    await setDays(root, 0)
    expect(await isThere(await aTrash(user))).toEqual([0, 0])
    // Retention does not wait for the trash.
    await setDays(root, 365)
    const third = await aTrash(user)
    const rules = ['chats', 'documents'].map((kind) => ({ kind, days: 1, follows_house: false }))
    expect((await as(root)('PUT', '/admin/retention', { rules })).status).toBe(200)
    ahead = 2 * DAY
    await beginRetention(chat.app.deps)
    await deleteDue(chat.app.deps, new AbortController().signal)
    expect(await isThere(third)).toEqual([0, 0])
    ahead = 0
    await sql`delete from retention_rules`.execute(chat.app.deps.db)
    // Nor does the deletion of the account.
    const fourth = await aTrash(user)
    expect(await isThere(fourth)).toEqual([1, 1])
    const password_hash = await hashPassword(PASSWORD)
    await chat.app.deps.db.updateTable('users').set({ password_hash }).where('id', '=', user.id).execute()
    const wish = { email: user.email, current_password: PASSWORD }
    expect((await call('POST', '/users/me/erasure', wish)).status).toBe(202)
    await expect.poll(() => isThere(fourth), { timeout: 20_000 }).toEqual([0, 0])
  })
})
