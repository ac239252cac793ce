import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aUser } from '#tests/builders.ts'
import { connect, documentsOf, synced, syncNow } from '#tests/connecting.ts'
import { aReader, type Reader } from '#tests/documents.ts'
import { aProjectHouse } from '#tests/project-people.ts'
import { aScriptedSource } from '#tests/scripted-source.ts'
import { addSources } from '../../knowledge/connectors/connectors.ts'

const scripted = aScriptedSource()
let app: TestApp
let house: Awaited<ReturnType<typeof aProjectHouse>>
let ada: Reader
let ben: Reader
beforeAll(async () => {
  addSources([scripted.source])
  app = await startApp({ config: { ATRIUM_EMBEDDING_MODEL: 'atrium/lexical' } })
  house = await aProjectHouse(app)
  ada = await aReader(
    app,
    house.base,
    await aUser(app, { role: 'company_admin', companyId: house.companyId }),
  )
  ben = await house.aColleague()
  scripted.items.set('lease.txt', { text: 'The lease of the mill costs 900 euros.' })
  scripted.items.set('board.txt', { text: 'The board sells the mill.' })
})
afterAll(async () => {
  addSources([])
  await app.close()
})

/** Connects a source, and puts its documents into a new project: with the connector, and one of them by hand as well. */
async function aConnectedProject(companyId: string | null) {
  const { id: connector } = await connect(ada, companyId, { source: 'scripted', settings: {} })
  await synced(ada, connector)
  const project = await house.aProject(ada)
  await house.add(ada, project, 'manager', ben.user.id)
  await ada.call('POST', `/workspaces/${project}/connectors`, { connector_id: connector, is_in: true })
  const documents = await documentsOf(app, connector)
  const ids = documents.map(({ id }) => id)
  const byHand = { document_ids: ids.slice(0, 1) }
  const added = await ada.call('POST', `/documents/workspace/${project}/documents`, byHand)
  expect(added.status).toBeLessThan(300)
  const own = await house.aDocument(ada, project)
  await ada.processed(own)
  return { connector, project, ids, own }
}
const statusOf = async (id: string) => (await ada.call('GET', `/documents/${id}`)).status

it.each([['company'], ['personal']])(
  'leaves documents of a %s connector where they are when a project is deleted with its documents',
  async (kind) => {
    const { connector, project, ids, own } = await aConnectedProject(
      kind === 'company' ? house.companyId : null,
    )
    expect((await ben.call('GET', `/projects/${project}/contents`)).body).toMatchObject({ documents: 1 })
    const wish = { chats: 'delete', documents: 'delete' }
    expect((await ben.call('POST', `/projects/${project}/deletion`, wish)).status).toBe(200)
    expect([await statusOf(own), ...(await Promise.all(ids.map(statusOf)))]).toEqual([404, 200, 200])
    expect(await syncNow(ada, connector)).toMatchObject({ state: 'ready', read: 2 })
  },
)

it('hands no documents of a connector to a member when a project is deleted', async () => {
  const { project, ids, own } = await aConnectedProject(null)
  const wish = { chats: 'keep', documents: 'hand_over', member_id: ben.user.id }
  expect((await ada.call('POST', `/projects/${project}/deletion`, wish)).status).toBe(200)
  await expect.poll(() => statusOf(own), { timeout: 20_000 }).toBe(404)
  const { items } = (await ben.call('GET', '/documents')).body
  const handed = items.filter(({ user_id }: { user_id: string }) => user_id === ben.user.id)
  expect(handed.map(({ name }: { name: string }) => name)).toEqual(['a.txt'])
  expect(await Promise.all(ids.map(statusOf))).toEqual([200, 200])
})

it('puts the connectors that reach the person into a copy of a project, with the documents that come later', async () => {
  const { connector, project } = await aConnectedProject(house.companyId)
  const { id: personal } = await connect(ada, null, { source: 'scripted', settings: {} })
  await synced(ada, personal)
  await ada.call('POST', `/workspaces/${project}/connectors`, { connector_id: personal, is_in: true })
  const copy = { id: randomUUID(), name: 'Copy', documents: true }
  expect((await ben.call('POST', `/projects/${project}/copies`, copy)).status).toBe(201)
  const { items } = (await ben.call('GET', `/workspaces/${copy.id}/connectors`)).body
  const placed = items.filter(({ is_in }: { is_in: boolean }) => is_in)
  expect(placed.map(({ id }: { id: string }) => id)).toEqual([connector])
  scripted.items.set('new.txt', { text: 'A new lease.' })
  await syncNow(ada, connector)
  const listed = (await ben.call('GET', `/documents?workspace_id=${copy.id}&sort=name&order=asc`)).body.items
  expect(listed.map(({ name }: { name: string }) => name)).toEqual([
    ...['a.txt', 'board.txt', 'lease.txt', 'new.txt'],
  ])
})
