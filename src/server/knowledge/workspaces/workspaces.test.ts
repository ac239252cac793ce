import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aSession } from '#tests/builders.ts'
import { aReader, type Reader } from '#tests/documents.ts'

let app: TestApp
let base: string
let ada: Reader
beforeAll(async () => {
  app = await startApp({ config: { ATRIUM_EMBEDDING_MODEL: 'atrium/lexical' } })
  base = `${await app.listen()}/api/v1`
  ada = await aReader(app, base)
})
afterAll(() => app.close())

let made = 0
const aFile = (fields = {}) => ({ name: `${++made}.txt`, content: `Text ${made}`, fields })
const names = (body: { items: { name: string }[] }) => body.items.map(({ name }) => name)

describe('workspaces', () => {
  it('and SV-37 have a default one from the beginning, and are read one by one [WS-01, WS-04, SV-36]', async () => {
    const { status, body } = await ada.call('GET', '/workspaces')
    expect([status, body.total, body.has_more, body.page]).toEqual([200, 1, false, 1])
    const [first] = body.items
    expect(first).toMatchObject({
      name: 'My documents',
      description: null,
      is_default: true,
      document_count: 0,
    })
    expect((await ada.call('GET', `/workspaces/${first.id}`)).body).toEqual(first)
    expect((await ada.call('GET', '/workspaces/00000000-0000-4000-8000-000000000000')).status).toBe(404)
  })

  it('are looked at without telling anybody of a change', async () => {
    const grace = await aReader(app, base)
    const told = async () => {
      const { rows } = await sql`
        select from user_events where user_id = ${grace.user.id} and kind = 'workspaces_changed'`.execute(
        app.deps.db,
      )
      return rows.length
    }
    await grace.call('GET', '/workspaces')
    expect(await told()).toBe(1)
    await grace.call('GET', '/workspaces')
    const { body } = await grace.upload(aFile())
    expect([body.workspace_ids.length, await told()]).toEqual([1, 1])
  })

  it('and SV-38 need a name that is not blank [WS-05]', async () => {
    expect((await ada.call('POST', '/workspaces', { name: '   ' })).status).toBe(422)
    const { status, body } = await ada.call('POST', '/workspaces', { name: '  Lots  ' })
    expect([status, body.name]).toEqual([201, 'Lots'])
  })

  it('and SV-40 are changed and deleted, but for the default one [SV-39]', async () => {
    const { body } = await ada.call('POST', '/workspaces', { name: 'Old', description: 'Of 2025' })
    const { body: renamed } = await ada.call('PUT', `/workspaces/${body.id}`, { name: 'New' })
    expect([renamed.name, renamed.description]).toEqual(['New', 'Of 2025'])
    expect(
      (await ada.call('PATCH', `/workspaces/${body.id}`, { description: null })).body.description,
    ).toBeNull()
    expect((await ada.call('DELETE', `/workspaces/${body.id}`)).status).toBe(200)
    expect((await ada.call('GET', `/workspaces/${body.id}`)).status).toBe(404)
    const { id } = (await ada.call('GET', '/workspaces')).body.items[0]
    const refused = await ada.call('PUT', `/workspaces/${id}`, { name: 'Mine' })
    expect([refused.status, refused.body.detail]).toEqual([403, 'The default workspace cannot be changed.'])
    expect((await ada.call('DELETE', `/workspaces/${id}`)).status).toBe(403)
  })

  it('and SV-62 list and count what stands in them [SV-61]', async () => {
    const { body: shelf } = await ada.call('POST', '/workspaces', { name: 'Offers' })
    const { body: first } = await ada.upload(aFile({ workspace_id: shelf.id }))
    const { body: other } = await ada.upload(aFile())
    const list = async () => (await ada.call('GET', `/documents/workspace/${shelf.id}/documents`)).body
    expect(names(await list())).toEqual([first.name])
    const { body: added } = await ada.call('POST', `/documents/workspace/${shelf.id}/documents`, {
      document_ids: [other.id],
    })
    expect(added.total).toBe(2)
    expect(names(await list()).sort()).toEqual([first.name, other.name].sort())
    expect((await ada.call('GET', `/documents/workspace/${shelf.id}/documents/count`)).body).toEqual({
      total: 2,
    })
    expect((await ada.call('GET', `/workspaces/${shelf.id}`)).body.document_count).toBe(2)
  })

  it('a document that is deleted in a workspace stays in others, and goes with the last [DO-09]', async () => {
    const { body: shelf } = await ada.call('POST', '/workspaces', { name: 'Plans' })
    const { body } = await ada.upload(aFile())
    await ada.call('POST', `/documents/workspace/${shelf.id}/documents`, { document_ids: [body.id] })
    await ada.call('DELETE', `/documents/${body.id}?workspace_id=${shelf.id}`)
    const { body: left } = await ada.call('GET', `/documents/${body.id}`)
    expect(left.workspace_ids).toHaveLength(1)
    await ada.call('DELETE', `/documents/${body.id}?workspace_id=${left.workspace_ids[0]}`)
    expect((await ada.call('GET', `/documents/${body.id}`)).status).toBe(404)
  })

  it('of somebody else take no document and give none', async () => {
    const grace = await aReader(app, base)
    const { body: shelf } = await ada.call('POST', '/workspaces', { name: 'Mine' })
    const { body: mine } = await ada.upload(aFile({ workspace_id: shelf.id }))
    expect((await grace.upload(aFile({ workspace_id: shelf.id }))).status).toBe(403)
    expect((await grace.call('GET', `/documents?workspace_id=${shelf.id}`)).status).toBe(403)
    const { body: hers } = await grace.call('POST', '/workspaces', { name: 'Hers' })
    const taken = await grace.call('POST', `/documents/workspace/${hers.id}/documents`, {
      document_ids: [mine.id],
    })
    expect(taken.status).toBe(403)
  })
})

describe('a chat', () => {
  it('has the documents that were uploaded in it or linked to it, and lets them go [SE-21]', async () => {
    const { id } = await aSession(app, ada.user)
    const { body: uploaded } = await ada.upload(aFile({ chat_session_id: id }))
    const { body: linked } = await ada.upload(aFile())
    await ada.call('POST', `/sessions/${id}/documents/${linked.id}`)
    const ofChat = async () => (await ada.call('GET', `/sessions/${id}`)).body.documents
    expect(names({ items: await ofChat() })).toEqual([uploaded.name, linked.name])
    expect((await ofChat())[0]).toEqual({
      ...{ id: uploaded.id, name: uploaded.name },
      ...{ created_at: uploaded.created_at, updated_at: expect.stringMatching(/^\d{4}-.*Z$/) },
    })
    expect((await ada.call('GET', `/documents?chat_session_id=${id}`)).body.total).toBe(2)
    await ada.call('DELETE', `/sessions/${id}/documents/${linked.id}`)
    expect(names({ items: await ofChat() })).toEqual([uploaded.name])
  })

  it('and SV-35 is linked to a workspace and unlinked [SV-34]', async () => {
    const { id } = await aSession(app, ada.user)
    const { body: shelf } = await ada.call('POST', '/workspaces', {
      name: 'For the chat',
      chat_session_id: id,
    })
    const { body: other } = await ada.call('POST', '/workspaces', { name: 'Linked' })
    const linked = async () => names((await ada.call('GET', `/workspaces?chat_session_id=${id}`)).body)
    expect(await linked()).toEqual(['For the chat'])
    expect((await ada.call('POST', `/sessions/${id}/workspaces/${other.id}`)).status).toBe(200)
    expect(await linked()).toEqual(['For the chat', 'Linked'])
    await ada.call('DELETE', `/sessions/${id}/workspaces/${shelf.id}`)
    expect(await linked()).toEqual(['Linked'])
  })
})
