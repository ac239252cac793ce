import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Document } from '#shared/knowledge/documents/documents.ts'
import { aUser } from '#tests/builders.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { connect, documentsOf, synced } from '#tests/connecting.ts'
import { aReader, type Reader } from '#tests/documents.ts'
import { calls, says } from '#tests/model-server.ts'
import { aScriptedSource } from '#tests/scripted-source.ts'
import { addSources } from './connectors.ts'

const scripted = aScriptedSource()
let chat: Chat
let ada: Reader
let connectorId: string
beforeAll(async () => {
  addSources([scripted.source])
  chat = await startChat({ app: { config: { ATRIUM_EMBEDDING_MODEL: 'atrium/lexical' } } })
  ada = await aReader(chat.app, chat.url, await aUser(chat.app, { role: 'company_admin' }))
  const company = (await ada.call('GET', '/users/me')).body.company_affiliations[0].company.id
  const at = (day: string) => ({
    created_at: new Date(day < '2025' ? '2024-02-02T00:00:00Z' : '2025-01-01T00:00:00Z'),
    changed_at: new Date(`${day}T12:00:00Z`),
  })
  const item = (path: string, more: object) => ({ path, name: path.split('/').at(-1) ?? '', ...more })
  scripted.items.set('1', {
    ...item('Legal/Leases/lyon.txt', { owner: 'Chloé Martin', labels: ['Signed'], ...at('2026-03-31') }),
    url: 'https://files.example/lyon',
    text: 'The lease of the mill in Lyon costs 900 euros.',
  })
  scripted.items.set('2', {
    ...item('Legal/Leases/paris.txt', { owner: 'Bo Li', labels: ['Draft'], ...at('2026-04-01') }),
    text: 'The lease of the mill in Paris costs 1,400 euros.',
  })
  scripted.items.set('3', {
    ...item('Legal archive/nice.txt', { owner: 'Bo Li', labels: [], ...at('2024-05-05') }),
    text: 'The lease of the mill in Nice costs 300 euros.',
  })
  connectorId = (await connect(ada, company, { source: 'scripted', settings: {} })).id
}, 60_000)
afterAll(async () => {
  addSources([])
  await chat.close()
})

const all = ['lyon.txt', 'nice.txt', 'paris.txt']
const cases: [Record<string, string>, string[]][] = [
  [{ source_owner: 'martin' }, ['lyon.txt']],
  [{ source_path: 'legal' }, ['lyon.txt', 'paris.txt']],
  [{ source_path: '/Legal/Leases/paris.txt' }, ['paris.txt']],
  [{ source_path: '%' }, []],
  [{ source_label: 'signed' }, ['lyon.txt']],
  [{ changed_from: '2026-03-31' }, ['lyon.txt', 'paris.txt']],
  [{ changed_to: '2026-03-31' }, ['lyon.txt', 'nice.txt']],
  [{ changed_from: '2026-03-31T12:00:01Z' }, ['paris.txt']],
  [{ created_from: '2025-01-01', created_to: '2025-01-01' }, ['lyon.txt', 'paris.txt']],
  [{ created_to: '2024-12-31' }, ['nice.txt']],
  [{ changed_from: '2024-01-01', changed_to: '2026-03-31T11:59:59Z', source_owner: 'Bo' }, ['nice.txt']],
]
const filtersOf = (given: Record<string, string>) =>
  Object.entries({ connector_id: connectorId, ...given }).map(([name, value]) => {
    const operator = /^(?:changed|created)_(from|to)$/.exec(name)?.[1]
    return operator
      ? { property: name.replace(operator, 'at'), operator, value }
      : { property: name, operator: 'equal', value }
  })
const search = (filters: object[]) =>
  ada.call('POST', '/search_and_rerank/search_and_rerank', { query: 'lease of the mill', filters })
const namesIn = (items: { name?: string; properties?: { file_name: string } }[]) =>
  [...new Set(items.map(({ name, properties }) => name ?? properties?.file_name))].sort()

it('reads the items and a document of the person', async () => {
  await synced(ada, connectorId)
  for (const { id } of await documentsOf(chat.app, connectorId)) await ada.processed(id)
  const { body } = await ada.upload({
    name: 'own.txt',
    content: 'The lease of the mill in Rome costs 700 euros.',
  })
  await ada.processed(body.id)
  expect(namesIn((await search([])).body.objects)).toEqual([...all, 'own.txt'].sort())
})

it('keeps the address of each item in its source [CN-10]', async () => {
  const { body } = await ada.call('GET', `/documents?connector_id=${connectorId}&sort=name&order=asc`)
  const addresses = body.items.map(({ source, doc_metadata }: Document) => [
    source?.url,
    doc_metadata.file_info.source_url,
  ])
  const known = 'https://files.example/lyon'
  expect(addresses).toEqual([
    [known, known],
    [null, null],
    [null, null],
  ])
})

it.each([[{}, all] as const, ...cases])('searches and lists %j [CN-13]', async (given, names) => {
  expect(namesIn((await search(filtersOf(given))).body.objects)).toEqual(names)
  const query = new URLSearchParams({ connector_id: connectorId, ...given })
  expect(namesIn((await ada.call('GET', `/documents?${query}`)).body.items)).toEqual(names)
})

it.each([
  { property: 'source_owner', operator: 'from', value: 'a' },
  { property: 'changed_at', operator: 'equal', value: '2026-01-01' },
  { property: 'changed_at', operator: 'from', value: 'yesterday' },
  { property: 'connector_id', operator: 'equal', value: 'x' },
])('refuses the filter %j', async (filter) => {
  expect((await search([filter])).body.code).toBe('invalid')
})

it('narrows the search of a model, and shows it what the source says of each document [CN-13]', async () => {
  const { body: session } = await ada.call('POST', '/sessions', { model_name: 'compatible/scripted' })
  const before = chat.model.requests.length
  chat.model.reply(
    [
      calls('document_search', {
        query: 'What does the lease of the mill cost?',
        source_path: 'Legal',
        source_label: 'signed',
      }),
    ],
    [says('900 euros [1].')],
    [says('900 euros [1].')],
  )
  await ada.call('POST', '/messages', { chat_session_id: session.id, content: 'How much?' })
  const read = async () => (await ada.call('GET', `/sessions/${session.id}/active-branch`)).body.active_branch
  await expect.poll(async () => (await read()).at(-1)?.status, { timeout: 30_000 }).toBe('completed')
  const told = JSON.stringify(chat.model.requests.slice(before)).replaceAll('\\"', '"')
  expect(told).toContain(
    'path="Legal/Leases/lyon.txt" owner="Chloé Martin" labels="Signed" created="2025-01-01" changed="2026-03-31">',
  )
  expect(told).not.toMatch(/Paris costs|Nice costs|Rome costs/)
})
