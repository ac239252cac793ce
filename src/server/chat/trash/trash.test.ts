import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { aUser } from '#tests/builders.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { aReader, type Reader } from '#tests/documents.ts'
import { calls, says } from '#tests/model-server.ts'
import { aMedium } from '#tests/stored-media.ts'

const DAY = 86_400_000
let chat: Chat
let reader: Reader
let ahead = 0
beforeAll(async () => {
  const clock = { now: () => new Date(Date.now() + ahead) }
  chat = await startChat({ app: { clock, config: { ATRIUM_EMBEDDING_MODEL: 'atrium/lexical' } } })
  reader = await aReader(chat.app, chat.url, chat.user)
})
afterEach(async () => {
  ahead = 0
  await chat.app.deps.db.deleteFrom('trash_rule').execute()
  await chat.call('DELETE', '/trash')
})
afterAll(() => chat.close())

// biome-ignore lint/suspicious/noExplicitAny: the test reads answers of many routes
type Body = any

const get = async (path: string): Promise<Body> => (await chat.call('GET', path)).body
const statusOf = async (path: string) => (await chat.call('GET', path)).status
const trash = async (query = '') => (await get(`/trash${query}`)).items as Body[]
const restore = (kind: string, id: string) => chat.call('POST', '/trash/restore', { items: [{ kind, id }] })
const purge = () => chat.app.deps.jobs.add('purge-trash', {})
const stored = (table: 'sessions' | 'documents', id: string) =>
  chat.app.deps.db.selectFrom(table).select('id').where('id', '=', id).executeTakeFirst()

/** Creates a chat with a tool call, a file, an export and a share link. */
async function aFullChat(title = 'HVAC renewals') {
  const id = await chat.aSession()
  chat.model.reply([calls('calculator', { a: 6, b: 7, operation: 'multiply' })], [says('It is 42')])
  await (await chat.ask(id, 'Multiply')).ended
  await chat.call('PUT', `/sessions/${id}/rename`, { title })
  const [, answer] = (await get(`/sessions/${id}/active-branch`)).active_branch
  const { db } = chat.app.deps
  const run = await db
    .selectFrom('runs')
    .select('id')
    .where('message_id', '=', answer.id)
    .executeTakeFirstOrThrow()
  const medium = await aMedium(chat.app, chat.user, run.id)
  const { body: made } = await chat.call('POST', `/sessions/${id}/exports`, { format: 'md' })
  const { body: link } = await chat.call('POST', `/sessions/${id}/links`, {
    ...{ days: 90, documents: [], hide_steps: true },
  })
  const tool = answer.blocks.find(({ type }: Body) => type === 'tool')
  const [checkpoint] = (await get(`/sessions/${id}/checkpoints`)).checkpoints ?? []
  const paths = [
    `/sessions/${id}`,
    `/sessions/${id}/active-branch`,
    `/sessions/${id}/tree`,
    `/sessions/${id}/tools`,
    `/sessions/${id}/checkpoints`,
    `/sessions/${id}/messages/${answer.id}/branches`,
    `/tool-executions/${tool.id}`,
    `/shared/${link.url.split('/s/')[1]}?language=en`,
    ...(made?.id ? [`/exports/${made.id}`] : []),
    ...(checkpoint ? [`/checkpoints/compare?a=${checkpoint.id}&b=${checkpoint.id}`] : []),
  ]
  return { id, medium, paths }
}

async function aReadDocument(content: string, fields: Record<string, string> = {}) {
  const { id } = (await reader.upload({ name: 'lease.txt', content, fields })).body
  expect((await reader.processed(id)).status).toBe('completed')
  return id as string
}

describe('a chat in the trash', () => {
  it('answers 404 on every route and comes back whole', async () => {
    const { id, medium, paths } = await aFullChat()
    const file = () => fetch(`${chat.url}/assets/tools/${medium}/a.txt`, { headers: chat.user.headers })
    for (const path of paths) expect([path, await statusOf(path)]).toEqual([path, 200])
    const before = await get(`/sessions/${id}/active-branch`)
    await chat.call('DELETE', `/sessions/${id}`)
    for (const path of paths) expect([path, await statusOf(path)]).toEqual([path, 404])
    expect((await file()).status).toBe(404)
    expect((await get('/sessions?q=Multiply')).total).toBe(0)
    expect(JSON.stringify([await get('/links'), await get('/exports')])).not.toContain(id)
    expect((await chat.call('POST', `/sessions/${id}/messages`, { content: 'Hi' })).status).toBe(404)
    expect(await trash('?q=hvac')).toMatchObject([{ kind: 'chat', id, name: 'HVAC renewals' }])
    expect(await trash('?q=other')).toEqual([])
    expect((await restore('chat', id)).body).toEqual({ items: [{ kind: 'chat', id }] })
    for (const path of paths) expect([path, await statusOf(path)]).toEqual([path, 200])
    expect(await get(`/sessions/${id}/active-branch`)).toEqual(before)
    expect(await (await file()).text()).toBe('a')
    expect(await trash()).toEqual([])
  })

  it('is deleted with its files after 30 days', async () => {
    const { id, medium } = await aFullChat()
    const kept = await aFullChat('Kept')
    await chat.call('DELETE', `/sessions/${id}`)
    const [item] = await trash()
    expect(new Date(item.ends_at).getTime() - new Date(item.deleted_at).getTime()).toBe(30 * DAY)
    ahead = 30 * DAY - 60_000
    await chat.call('DELETE', `/sessions/${kept.id}`)
    expect(await trash()).toHaveLength(2)
    ahead = 30 * DAY + 60_000
    expect(await trash()).toMatchObject([{ id: kept.id }])
    expect((await restore('chat', id)).body).toEqual({ items: [] })
    await purge()
    await expect.poll(() => stored('sessions', id)).toBeUndefined()
    expect(await chat.app.deps.files.size(`media/${medium}/file`)).toBeNull()
    expect(await stored('sessions', kept.id)).toBeTruthy()
  })

  it('is not kept when it is empty', async () => {
    const id = await chat.aSession()
    await chat.call('DELETE', `/sessions/${id}`)
    expect(await stored('sessions', id)).toBeUndefined()
  })
})

describe('a document in the trash', () => {
  it('is never found, listed or cited, and comes back with its id, workspaces and passages', async () => {
    const workspace_id = (await reader.call('POST', '/workspaces', { name: 'Leases' })).body.id
    const id = await aReadDocument('Kessler may leave on 30 June with zebra notice.', { workspace_id })
    const sessionId = await chat.aSession()
    await chat.call('POST', `/sessions/${sessionId}/documents`, { document_id: id })
    await chat.app.deps.db
      .insertInto('session_documents')
      .values({ session_id: sessionId, document_id: id })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    const look = async () => {
      const search = (more: object) =>
        chat.call('POST', '/search_and_rerank/search_and_rerank', {
          query: 'zebra notice',
          limit: 5,
          ...more,
        })
      return {
        found: JSON.stringify((await search({ hybrid_search: true })).body).includes(id),
        byVectors: JSON.stringify((await search({ hybrid_search: false })).body).includes(id),
        listed: (await get('/documents')).items.some((one: Body) => one.id === id),
        inWorkspace: (await get(`/workspaces/${workspace_id}`)).document_count,
        inChat: (await get(`/sessions/${sessionId}`)).documents.length,
        one: await statusOf(`/documents/${id}`),
        chunks: await statusOf(`/documents/${id}/chunks`),
        content: await fetch(`${chat.url}/documents/${id}/content`, { headers: chat.user.headers }).then(
          ({ status }) => status,
        ),
      }
    }
    const before = await look()
    expect(before).toEqual({
      ...{ found: true, byVectors: true, listed: true, inWorkspace: 1, inChat: 1 },
      ...{ one: 200, chunks: 200, content: 200 },
    })
    const document = await get(`/documents/${id}`)
    await reader.call('DELETE', `/documents/${id}?workspace_id=${workspace_id}`)
    expect(await look()).toEqual({
      ...{ found: false, byVectors: false, listed: false, inWorkspace: 0, inChat: 0 },
      ...{ one: 404, chunks: 404, content: 404 },
    })
    expect(await trash('?q=lease')).toMatchObject([{ kind: 'document', id, name: 'lease.txt' }])
    expect((await restore('document', id)).status).toBe(200)
    expect(await look()).toEqual(before)
    expect(await get(`/documents/${id}`)).toEqual(document)
    const told = await chat.app.deps.db
      .selectFrom('user_events')
      .select('kind')
      .where(sql<boolean>`data::text like ${`%${id}%`}`)
      .orderBy('id')
      .execute()
    expect(told.slice(-2)).toEqual([{ kind: 'document_deleted' }, { kind: 'document_created' }])
  })

  it('is deleted with its bytes and passages after its time', async () => {
    const id = await aReadDocument('The lift is serviced every quarter.')
    const { db, files } = chat.app.deps
    const { file_key, reading_id } = await db
      .selectFrom('documents')
      .innerJoin('readings', 'readings.id', 'documents.reading_id')
      .innerJoin('blobs', 'blobs.id', 'readings.blob_id')
      .select(['file_key', 'reading_id'])
      .where('documents.id', '=', id)
      .executeTakeFirstOrThrow()
    await reader.call('DELETE', `/documents/${id}`)
    ahead = 31 * DAY
    expect(await trash()).toEqual([])
    await purge()
    await expect.poll(() => stored('documents', id)).toBeUndefined()
    await expect.poll(() => files.size(file_key)).toBeNull()
    const chunks = db.selectFrom('chunks').select('id').where('reading_id', '=', reading_id)
    expect(await chunks.execute()).toEqual([])
  })

  it('takes its inner documents along, without listing them', async () => {
    const outer = await aReadDocument('An archive of two notes.')
    const { db } = chat.app.deps
    const row = await db.selectFrom('documents').selectAll().where('id', '=', outer).executeTakeFirstOrThrow()
    const { id: _, ...copy } = row
    const inner = await db
      .insertInto('documents')
      .values({ ...copy, parent_id: outer, name: 'inner.txt' })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db
      .insertInto('document_versions')
      .values({ document_id: inner.id, version: 1, reading_id: row.reading_id, name: 'inner.txt' })
      .execute()
    await reader.call('DELETE', `/documents/${outer}`)
    expect(await trash()).toMatchObject([{ id: outer }])
    expect(await statusOf(`/documents/${inner.id}`)).toBe(404)
    await restore('document', outer)
    expect(await statusOf(`/documents/${inner.id}`)).toBe(200)
  })
})

describe('the trash', () => {
  it('deletes single items permanently, or all of them', async () => {
    const [first, second] = [await aFullChat('One'), await aFullChat('Two')]
    const document = await aReadDocument('Gone for good.')
    for (const { id } of [first, second]) await chat.call('DELETE', `/sessions/${id}`)
    await reader.call('DELETE', `/documents/${document}`)
    const named = { items: [{ kind: 'chat', id: first.id }] }
    expect((await chat.call('POST', '/trash/delete', named)).body).toEqual(named)
    expect((await restore('chat', first.id)).body).toEqual({ items: [] })
    await expect.poll(() => stored('sessions', first.id)).toBeUndefined()
    expect(await trash()).toHaveLength(2)
    expect((await chat.call('DELETE', '/trash')).body).toEqual({ deleted: 2 })
    expect(await trash()).toEqual([])
    await expect.poll(() => stored('sessions', second.id)).toBeUndefined()
    await expect.poll(() => stored('documents', document)).toBeUndefined()
  })

  it('shows, restores and deletes only what the caller deleted', async () => {
    const { id } = await aFullChat()
    await chat.call('DELETE', `/sessions/${id}`)
    const { headers } = await aUser(chat.app)
    const items = [{ kind: 'chat', id }]
    const asOther = (method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) =>
      chat.app.http.inject({ method, url: `/api/v1${url}`, headers, ...(payload && { payload }) })
    expect((await asOther('GET', '/trash')).json()).toMatchObject({ items: [], total: 0 })
    expect((await asOther('POST', '/trash/restore', { items })).json()).toEqual({ items: [] })
    expect((await asOther('POST', '/trash/delete', { items })).json()).toEqual({ items: [] })
    expect((await asOther('DELETE', '/trash')).json()).toEqual({ deleted: 0 })
    expect(await trash()).toMatchObject([{ id }])
  })

  it('keeps nothing when it is switched off, and deletes its remaining items', async () => {
    const before = await aFullChat()
    await chat.call('DELETE', `/sessions/${before.id}`)
    const root = await aUser(chat.app, { role: 'super_admin' })
    const set = { method: 'PUT' as const, url: '/api/v1/admin/trash', payload: { days: 0 } }
    expect((await chat.app.http.inject({ ...set, headers: chat.user.headers })).statusCode).toBe(403)
    expect((await chat.app.http.inject({ ...set, headers: root.headers })).json()).toEqual({ days: 0 })
    ahead = 60_000
    await purge()
    await expect.poll(() => stored('sessions', before.id)).toBeUndefined()
    const { id } = await aFullChat()
    const document = await aReadDocument('Not kept.')
    await chat.call('DELETE', `/sessions/${id}`)
    await reader.call('DELETE', `/documents/${document}`)
    expect(await stored('sessions', id)).toBeUndefined()
    expect(await stored('documents', document)).toBeUndefined()
    expect(await get('/trash')).toEqual({ items: [], total: 0, days: 0 })
  })
})
