import { afterAll, beforeAll, expect, it } from 'vitest'
import { builtInIds } from '#shared/chat/assistants/assistants.ts'
import { startApp, type TestApp } from '#tests/app.ts'
import { aProjectHouse } from '#tests/project-people.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp({ config: { ATRIUM_EMBEDDING_MODEL: 'atrium/lexical' } })
})
afterAll(() => app.close())

it('makes a workspace a project with all its parts, under the same id and routes [PJ-01]', async () => {
  const house = await aProjectHouse(app)
  const [ada, ben] = [await house.aColleague(), await house.aColleague()]
  const [assistant_id = ''] = builtInIds
  const id = await house.aProject(ada)
  const document = await house.aDocument(ada, id)
  const chat = await house.aChat(ada, id)
  await house.add(ada, id, 'writer', ben.user.id)
  const instructions = { text: 'Answer in one sentence.', based_on: 0 }
  const settings = { instructions, assistant_id, model_name: 'atrium/offline' }
  expect((await ada.call('PUT', `/projects/${id}`, settings)).status).toBe(200)
  await ada.call('POST', '/facts', { text: 'The year begins in June', workspace_id: id })
  await ada.call('PUT', `/projects/${id}/budget`, { period: 'month', amount: 5 })
  // Every part is read by another member, through the routes of projects and those of workspaces.
  expect((await ben.call('GET', `/projects/${id}`)).body).toMatchObject({
    ...{ id, name: 'Leases', instructions: instructions.text, instructions_version: 1, role: 'writer' },
    ...{ assistant: { id: assistant_id }, model_name: 'atrium/offline' },
    ...{ document_count: 1, chat_count: 1, member_count: 2 },
  })
  const parts: [string, object][] = [
    [`/facts?workspace_id=${id}`, { items: [{ text: 'The year begins in June', project: { id } }] }],
    [`/projects/${id}/spending`, { budgets: [{ period: 'month', amount: 5 }] }],
    [`/sessions?workspace_id=${id}`, { items: [{ id: chat }] }],
    [`/workspaces/${id}`, { id, name: 'Leases', is_default: false, document_count: 1 }],
    [`/documents/workspace/${id}/documents`, { items: [{ id: document }], total: 1 }],
    [`/documents/workspace/${id}/documents/count`, { total: 1 }],
  ]
  for (const [path, body] of parts) expect((await ben.call('GET', path)).body, path).toMatchObject(body)
  const listed = (await ben.call('GET', '/workspaces')).body.items.map((one: { id: string }) => one.id)
  expect(listed).toContain(id)
  expect((await ada.call('PUT', `/workspaces/${id}`, { name: 'Rents' })).body).toMatchObject({
    id,
    name: 'Rents',
  })
  expect((await ada.call('DELETE', `/workspaces/${id}`)).status).toBe(200)
  expect((await ada.call('GET', `/projects/${id}`)).status).toBe(404)
  expect((await ada.call('GET', `/documents/${document}`)).status).toBe(200)
})
