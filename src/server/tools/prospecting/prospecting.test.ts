import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { lastAudited } from '#tests/audit-log.ts'
import { aUser } from '#tests/builders.ts'
import { type Chat, startChat } from '#tests/chat.ts'

let server: Server
let url = ''
let chat: Chat
/** Prospects received by the CRM, by their keys. */
const taken = new Map<string, Record<string, unknown>>()
const sent: { key: string; authorization: string }[] = []
let refuse: (person: string) => [status: number, said: object] | null = () => null
let count = 2
/** The CRM answers when this is resolved. */
let held = Promise.resolve()

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    response.setHeader('content-type', 'application/json')
    if (request.url?.startsWith('/search'))
      return void response.end(JSON.stringify({ results: [company(count)] }))
    if (request.url !== '/crm') return void response.writeHead(404).end('{}')
    const key = String(request.headers['idempotency-key'])
    const prospect = JSON.parse(body)
    sent.push({ key, authorization: request.headers.authorization ?? '' })
    await held
    const refused = refuse(prospect['prénom nom'])
    if (!refused) taken.set(key, prospect)
    response.writeHead(refused?.[0] ?? 201).end(JSON.stringify(refused?.[1] ?? {}))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  chat = await startChat({
    app: {
      config: {
        COMPANY_REGISTER_URL: url,
        CRM_URL: `${url}/crm`,
        CRM_KEY: 'k',
        WIKIPEDIA_URL: `${url}/none`,
      },
    },
  })
})
afterAll(async () => {
  await chat.close()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})
beforeEach(() => {
  taken.clear()
  sent.length = 0
  refuse = () => null
})

const company = (people: number) => ({
  ...{ siren: '1', nom_complet: 'VOLCANIS' },
  dirigeants: Array.from({ length: people }, (_, at) => ({
    ...{ nom: `N${at}`, prenoms: 'ADA', qualite: 'Gérant', type_dirigeant: 'personne physique' },
  })),
})

/** Executes the tool like a person, from its questions to its end. */
async function prospected(contacts = 2): Promise<string> {
  count = contacts
  const inputs = { query: 'emballage', companies: 1, contacts: Math.min(contacts, 20) }
  const { body } = await chat.call('POST', '/tools/prospecting/execute', { inputs })
  const path = `/tool-executions/${body.tool_execution_id}`
  for (const input of ['1', 'yes']) {
    const checkpoint = input === '1' ? /selection/ : /confirmation/
    await expect
      .poll(async () => (await chat.call('GET', path)).body.request?.checkpoint_name ?? '', {
        timeout: 30_000,
      })
      .toMatch(checkpoint)
    await chat.call('POST', `${path}/provide-input`, { input, input_type: 'text' })
  }
  await expect
    .poll(async () => (await chat.call('GET', path)).body.finished_at, { timeout: 30_000 })
    .not.toBeNull()
  return body.tool_execution_id
}
const importAll = (id: string, headers = {}) =>
  chat.call('POST', `/tool-executions/${id}/import`, { target: 'crm' }, headers)

it('sends each prospect to the CRM once, reports refusals, and can send those again [SV-90, PR-10, XB-12]', async () => {
  const id = await prospected()
  const { body: done } = await chat.call('GET', `/tool-executions/${id}`)
  const told = done.events.map(({ type, phase }: { type: string; phase?: string }) => phase ?? type)
  expect(told.filter((one: string, at: number) => one !== told[at - 1])).toEqual(
    expect.arrayContaining(['company_analysis', 'tool_input_required', 'preview', 'final_result']),
  )
  const asked = done.events.find(({ type }: { type: string }) => type === 'tool_input_required')
  expect(asked.data).toMatchObject({ execution_id: id, prompt: expect.stringContaining('1. VOLCANIS') })
  refuse = (person) => (person === 'Ada N1' ? [422, { message: 'Already a contact of somebody.' }] : null)
  const failures = [{ société: 'VOLCANIS', 'prénom nom': 'Ada N1', reason: 'Already a contact of somebody.' }]
  expect(await importAll(id)).toMatchObject({ status: 200, body: { imported: 1, failed: 1, failures } })
  expect(sent.map(({ authorization }) => authorization)).toEqual(['Bearer k', 'Bearer k'])
  expect(await lastAudited(chat.app, 'export.created')).toMatchObject({ subject: id })
  sent.length = 0
  refuse = () => null
  expect(await importAll(id)).toMatchObject({ status: 200, body: { imported: 2, failed: 0, failures: [] } })
  expect(sent.map(({ key }) => key)).toEqual([`${id}-1`])
  sent.length = 0
  expect(await importAll(id)).toMatchObject({ body: { imported: 2, failed: 0 } })
  expect(sent).toEqual([])
  expect([...taken.values()].map((one) => one['prénom nom'])).toEqual(['Ada N0', 'Ada N1'])
})

it('imports only once at a time, only prospects, and only for their owner', async () => {
  const id = await prospected()
  const { promise, resolve } = Promise.withResolvers<void>()
  held = promise
  const first = importAll(id)
  await expect.poll(() => sent.length).toBeGreaterThan(0)
  expect(await importAll(id)).toMatchObject({ status: 409 })
  resolve()
  expect(await first).toMatchObject({ status: 200 })
  expect(sent).toHaveLength(2)
  const { body: other } = await chat.call('POST', '/tools/calculator/execute', {
    inputs: { a: 1, b: 2, operation: 'add' },
  })
  expect(await importAll(other.tool_execution_id)).toMatchObject({ status: 409 })
  expect((await importAll(id, (await aUser(chat.app)).headers)).status).toBe(403)
})

it('reports that no CRM is configured', async () => {
  const bare = await startChat({ app: { config: { COMPANY_REGISTER_URL: url } } })
  const [first, ...rest] = [chat, bare]
  chat = rest[0] ?? bare
  try {
    const id = await prospected(1)
    expect(await importAll(id)).toMatchObject({ status: 422, body: { code: 'not_available' } })
  } finally {
    chat = first
    await bare.close()
  }
})
