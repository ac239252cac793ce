import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aUser } from '#tests/builders.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { connect, documentsOf, synced, syncNow } from '#tests/connecting.ts'
import { aReader, type Reader } from '#tests/documents.ts'
import { says } from '#tests/model-server.ts'
import { aScriptedSource } from '#tests/scripted-source.ts'
import { addSources } from '../connectors/connectors.ts'

const [mine, other] = [aScriptedSource(), aScriptedSource('other')]
let chat: Chat
let ada: Reader
let bob: Reader
let eve: Reader
let project: string
let connectorId: string
let otherId: string
beforeAll(async () => {
  addSources([mine.source, other.source])
  chat = await startChat({ app: { config: { ATRIUM_EMBEDDING_MODEL: 'atrium/lexical' } } })
  ada = await aReader(chat.app, chat.url, await aUser(chat.app, { role: 'company_admin' }))
  const company = (await ada.call('GET', '/users/me')).body.company_affiliations[0].company.id
  bob = await aReader(chat.app, chat.url, await aUser(chat.app, { role: 'member', companyId: company }))
  eve = await aReader(chat.app, chat.url, await aUser(chat.app, { role: 'company_admin' }))
  mine.items.set('lyon.txt', { text: 'The lease of the mill in Lyon costs 900 euros.' })
  other.items.set('paris.txt', { text: 'The lease of the mill in Paris costs 1,400 euros.' })
  // Only ada reads the first connector; her whole company reads the other one.
  const readers = [{ kind: 'person', id: ada.user.id }]
  connectorId = (await connect(ada, company, { source: 'scripted', settings: {}, readers })).id
  otherId = (await connect(ada, company, { source: 'other', name: 'Archive', settings: {} })).id
  project = (await ada.call('POST', '/workspaces', { name: 'Leases' })).body.id
  const member = { recipient: { who: 'person', id: bob.user.id }, role: 'writer' }
  await sql`update companies set members_share = true where id = ${company}`.execute(chat.app.deps.db)
  expect((await ada.call('POST', `/projects/${project}/members`, member)).status).toBe(200)
}, 60_000)
afterAll(async () => {
  addSources([])
  await chat.close()
})

const place = (who: Reader, connector_id: string, is_in: boolean) =>
  who.call('POST', `/workspaces/${project}/connectors`, { connector_id, is_in })
const namesIn = async (who: Reader) =>
  (await who.call('GET', `/documents?workspace_id=${project}&sort=name&order=asc`)).body.items.map(
    ({ name }: { name: string }) => name,
  )

/** Asks in a chat of the project, and returns what the model was given. */
async function told(who: Reader) {
  const { body: session } = await who.call('POST', '/sessions', { model_name: 'compatible/scripted' })
  await who.call('PUT', '/session-projects', {
    items: [{ session_id: session.id, workspace_id: project, is_shared: false }],
  })
  const before = chat.model.requests.length
  chat.model.reply([says('900 euros [1].')])
  await who.call('POST', '/messages', {
    chat_session_id: session.id,
    content: 'What does the lease of the mill cost?',
  })
  const read = async () => (await who.call('GET', `/sessions/${session.id}/active-branch`)).body.active_branch
  await expect.poll(async () => (await read()).at(-1)?.status, { timeout: 30_000 }).toBe('completed')
  return JSON.stringify(chat.model.requests.slice(before))
}

describe('a project with a connector', () => {
  it('answers from its documents alone, those that come later included, for members who may read them [CN-15]', async () => {
    for (const id of [connectorId, otherId]) {
      await synced(ada, id)
      for (const document of await documentsOf(chat.app, id)) await ada.processed(document.id)
    }
    expect((await place(ada, connectorId, true)).body).toMatchObject({ id: connectorId, is_in: true })
    expect(await namesIn(ada)).toEqual(['lyon.txt'])
    mine.items.set('nice.txt', { text: 'The lease of the mill in Nice costs 300 euros.' })
    await syncNow(ada, connectorId)
    for (const document of await documentsOf(chat.app, connectorId)) await ada.processed(document.id)
    expect(await namesIn(ada)).toEqual(['lyon.txt', 'nice.txt'])
    const words = await told(ada)
    expect([/Lyon costs/.test(words), /Nice costs/.test(words), /Paris costs/.test(words)]).toEqual([
      true,
      true,
      false,
    ])
    // A place in a project gives no one a right.
    expect(await namesIn(bob)).toEqual([])
    expect(await told(bob)).not.toMatch(/(Lyon|Nice) costs/)
    expect((await place(ada, connectorId, false)).body.is_in).toBe(false)
    expect(await namesIn(ada)).toEqual([])
  })

  it('lists and takes only connectors that reach the person', async () => {
    const listed = async (who: Reader) => (await who.call('GET', `/workspaces/${project}/connectors`)).body
    expect(await listed(bob)).toEqual({
      items: [{ id: otherId, name: 'Archive', source: 'other', is_in: false }],
      total: 1,
    })
    expect((await place(bob, connectorId, true)).status).toBe(404)
    expect((await place(bob, otherId, true)).status).toBe(200)
    expect([await namesIn(bob), await namesIn(ada)]).toEqual([['paris.txt'], ['paris.txt']])
    expect((await listed(ada)).items.map(({ is_in }: { is_in: boolean }) => is_in)).toEqual([true, false])
    expect((await place(eve, otherId, true)).status).toBe(403)
  })

  it('loses its documents with the connector, and keeps those that were added by hand', async () => {
    const { body: own } = await ada.upload({
      ...{ name: 'own.txt', content: 'Own.' },
      fields: { workspace_id: project },
    })
    await ada.processed(own.id)
    expect(await namesIn(ada)).toEqual(['own.txt', 'paris.txt'])
    await ada.call('POST', `/connectors/${otherId}/remove`, { documents: 'keep' })
    await expect.poll(() => namesIn(ada), { timeout: 20_000 }).toEqual(['own.txt'])
  })
})
