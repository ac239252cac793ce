import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import type { Reader } from '#tests/documents.ts'
import { aProjectHouse } from '#tests/project-people.ts'

let app: TestApp
let house: Awaited<ReturnType<typeof aProjectHouse>>
let ada: Reader
let ben: Reader
let cem: Reader
beforeAll(async () => {
  app = await startApp({ config: { ATRIUM_EMBEDDING_MODEL: 'atrium/lexical' } })
  house = await aProjectHouse(app)
  ada = await house.aColleague()
  ben = await house.aColleague()
  cem = await house.aColleague()
})
afterAll(() => app.close())

/** Creates a project of Ada with a shared chat and a document of each member, and private chats of both. */
async function aFullProject() {
  const id = await house.aProject(ada)
  await house.add(ada, id, 'manager', ben.user.id)
  await house.add(ada, id, 'reader', cem.user.id)
  await ada.call('POST', '/facts', { text: 'The year begins in June', workspace_id: id })
  return {
    id,
    shared: await house.aChat(ben, id),
    own: await house.aChat(ada, id, false),
    foreign: await house.aChat(ben, id, false),
    document: await house.aDocument(ben, id),
  }
}

const remove = (as: Reader, id: string, body: object) => as.call('POST', `/projects/${id}/deletion`, body)
const projectOf = async (as: Reader, chat: string) => {
  const { status, body } = await as.call('GET', `/sessions/${chat}`)
  return status === 200 ? body.project : status
}
const isInTrash = async (as: Reader, id: string) =>
  (await as.call('GET', '/trash')).body.items.some((item: { id: string }) => item.id === id)

describe('the deletion of a project', () => {
  it('shows what it affects [PJ-09]', async () => {
    const { id } = await aFullProject()
    expect((await ada.call('GET', `/projects/${id}/contents`)).body).toEqual({
      ...{ chats: 2, private_chats: 1, documents: 1, schedules: 0, facts: 1, members: 2 },
    })
  })

  it('leaves chats and documents with their authors outside of the project [PJ-09]', async () => {
    const { id, shared, own, foreign, document } = await aFullProject()
    expect((await remove(ada, id, { chats: 'keep', documents: 'keep' })).status).toBe(200)
    expect((await ada.call('GET', `/projects/${id}`)).status).toBe(404)
    expect(await projectOf(ben, shared)).toBeNull()
    expect(await projectOf(ada, own)).toBeNull()
    expect(await projectOf(ben, foreign)).toBeNull()
    expect(await projectOf(ada, shared)).toBe(403)
    expect((await ben.call('GET', `/documents/${document}`)).status).toBe(200)
    expect((await ada.call('GET', `/documents/${document}`)).status).toBe(403)
  })

  it('moves chats and documents to the trash of their owners, except private chats of other members [PJ-09]', async () => {
    const { id, shared, own, foreign, document } = await aFullProject()
    const elsewhere = await house.aDocument(ben, id)
    const other = await house.aProject(ben)
    await ben.call('POST', `/documents/workspace/${other}/documents`, { document_ids: [elsewhere] })
    expect((await remove(ada, id, { chats: 'delete', documents: 'delete' })).status).toBe(200)
    expect(await projectOf(ben, shared)).toBe(404)
    expect(await isInTrash(ben, shared)).toBe(true)
    expect(await isInTrash(ada, own)).toBe(true)
    expect(await isInTrash(ben, document)).toBe(true)
    expect(await isInTrash(ada, shared)).toBe(false)
    expect(await projectOf(ben, foreign)).toBeNull()
    expect((await ben.call('GET', `/documents/${elsewhere}`)).status).toBe(200)
    await ben.call('POST', '/trash/restore', { items: [{ kind: 'chat', id: shared }] })
    expect(await projectOf(ben, shared)).toBeNull()
  })

  it('hands the chats to a member, who reads them as the text of others [PJ-09]', async () => {
    const { id, shared, own, foreign } = await aFullProject()
    const wish = { chats: 'hand_over', documents: 'keep' }
    expect((await remove(ada, id, wish)).status).toBe(422)
    const outsider = await house.aColleague()
    expect((await remove(ada, id, { ...wish, member_id: outsider.user.id })).status).toBe(422)
    expect((await remove(ada, id, { ...wish, member_id: cem.user.id })).status).toBe(200)
    expect(await projectOf(cem, shared)).toBeNull()
    expect(await projectOf(cem, own)).toBeNull()
    expect(await projectOf(ben, shared)).toBe(403)
    expect(await projectOf(ada, own)).toBe(403)
    expect(await projectOf(cem, foreign)).toBe(403)
    const written = await app.deps.db
      .selectFrom('messages')
      .select('is_by_others')
      .where('session_id', '=', shared)
      .execute()
    expect(written.map(({ is_by_others }) => is_by_others)).toEqual([true, true])
  })

  it('hands the documents to a member, and moves the originals to the trash of their owners [PJ-09]', async () => {
    const { id, document } = await aFullProject()
    await ben.processed(document)
    const source = 'https://files.test/lease'
    await sql`update documents set source_url = ${source} where id = ${document}`.execute(app.deps.db)
    const wish = { chats: 'keep', documents: 'hand_over', member_id: cem.user.id }
    const readable = async () =>
      (await cem.call('GET', '/documents')).body.items.map((item: { id: string }) => item.id)
    const before = await readable()
    expect((await remove(ada, id, wish)).status).toBe(200)
    const status = async () => (await ben.call('GET', `/documents/${document}`)).status
    await expect.poll(status, { timeout: 20_000 }).toBe(404)
    const now = await readable()
    expect(now).not.toContain(document)
    const added = now.filter((one: string) => !before.includes(one))
    expect(added).toHaveLength(1)
    const { doc_metadata } = (await cem.call('GET', `/documents/${added[0]}`)).body
    expect(doc_metadata.file_info.source_url).toBe(source)
    expect(await isInTrash(ben, document)).toBe(true)
  })

  it('leaves documents under a legal hold to their owner, and hands over the others', async () => {
    const { id, document } = await aFullProject()
    await ben.processed(document)
    await sql`insert into legal_holds (user_id, name, reason, placed_by, placed_at)
      values (${ben.user.id}, 'Ben', 'Claim', 'Root', now())`.execute(app.deps.db)
    const wish = { chats: 'keep', documents: 'hand_over', member_id: cem.user.id }
    expect((await remove(ada, id, wish)).status).toBe(200)
    const isPending = () => app.deps.jobs.has(`hand-over-documents:${id}`)
    await expect.poll(isPending, { timeout: 10_000 }).toBe(false)
    expect((await ben.call('GET', `/documents/${document}`)).status).toBe(200)
    await sql`delete from legal_holds`.execute(app.deps.db)
  })

  it('happens once when two managers delete it at the same time, also while a third one archives it', async () => {
    const { id } = await aFullProject()
    const wish = { chats: 'delete', documents: 'delete' }
    const answers = await Promise.all([
      ...[ada, ben, ada, ben].map((person) => remove(person, id, wish)),
      ben.call('PUT', `/projects/${id}/archive`),
    ])
    const deleted = answers.slice(0, 4).map(({ status }) => status)
    expect(deleted.filter((status) => status === 200)).toHaveLength(1)
    expect(deleted.filter((status) => status === 404)).toHaveLength(3)
    expect([200, 404]).toContain(answers[4]?.status)
  })

  it('deletes an archived project', async () => {
    const { id, shared } = await aFullProject()
    await ada.call('PUT', `/projects/${id}/archive`)
    expect((await remove(ben, id, { chats: 'keep', documents: 'keep' })).status).toBe(200)
    const sent = { content: 'Go on', without_reply: true }
    expect((await ben.call('POST', `/sessions/${shared}/messages`, sent)).status).toBe(201)
  })
})
