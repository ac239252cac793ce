import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ApiServer, startApiServer } from '#tests/api-server.ts'
import { readOn } from '#tests/asking.ts'
import { aCompany, aUser } from '#tests/builders.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { calls, says } from '#tests/model-server.ts'
import { executeTool, makeTool, supplierTool } from '#tests/supplier-tool.ts'

let api: ApiServer
let chat: Chat
beforeAll(async () => {
  api = await startApiServer()
  chat = await startChat({ app: { config: { ATRIUM_TOOLS_PRIVATE: api.url } } })
})
afterAll(async () => {
  await chat.close()
  await api.close()
})

const score = (more: object = {}) => supplierTool(api, more)
const make = (tool: object = score()) => makeTool(chat, tool)
const execute = (id: string, inputs: object) => executeTool(chat, id, inputs)

describe('own tool', () => {
  it('can be created, calls its API with its inputs, and can be changed and deleted [TO-18, SV-47, SV-48, SV-49, R-21]', async () => {
    api.answer({ body: { score: 71, secret: 'x', alerts: [{ label: 'Late', code: 4 }] } })
    const { id } = await make()
    const listed = await chat.call('GET', '/tools')
    expect(listed.body.find((tool: { id: string }) => tool.id === id)).toMatchObject({
      ...{ kind: 'api', ui_name: 'Supplier score', policy: 'auto', own: true, version: 1, repeatable: true },
      input_schema: {
        properties: { siren: { type: 'string', description: 'Nine digits' } },
        required: ['siren'],
      },
    })
    expect(await execute(id, { siren: '552 100/554', period: 'quarter' })).toMatchObject({
      ...{ status: 'complete', error: null },
      result: { score: 71, alerts: [{ label: 'Late' }] },
    })
    expect(api.take()).toMatchObject({
      method: 'GET',
      path: '/v2/suppliers/552%20100%2F554/score?period=quarter',
    })
    const wrong = await chat.call('POST', `/tools/${id}/execute`, { inputs: { period: 'day' } })
    expect(wrong.status).toBe(422)
    expect(api.asked).toEqual([])

    const changed = await chat.call('PUT', `/tools/${id}`, { ui_name: 'Score', description: 'Anew.' })
    expect(changed.body).toMatchObject({ id, ui_name: 'Score', description: 'Anew.', version: 2 })
    // An identical change creates no version.
    expect((await chat.call('PATCH', `/tools/${id}`, { ui_name: 'Score' })).body.version).toBe(2)

    expect((await chat.call('DELETE', `/tools/${id}`)).body).toEqual({ message: 'The tool was deleted.' })
    expect((await chat.call('GET', `/tools/${id}`)).status).toBe(404)
    const left = await chat.app.deps.db.selectFrom('own_tool_sets').select('id').execute()
    expect(left).toEqual([])
  })

  it.each(['http://127.0.0.1:1/', 'http://10.0.0.1/{siren}', 'http://[::1]/x', 'http://localhost:1/x'])(
    'is not saved with an address that is never called: %s',
    async (address) => {
      const { call, ...words } = score()
      const inputs = address.includes('{') ? call.inputs : []
      const refusal = {
        status: 422,
        body: { detail: expect.stringMatching(/is in a private network/) },
      }
      const wrong = { ...words, call: { ...call, address, inputs } }
      expect(await chat.call('POST', '/tools', wrong)).toMatchObject(refusal)
      const { id } = await make()
      expect(await chat.call('PUT', `/tools/${id}`, { call: wrong.call })).toMatchObject(refusal)
      const auth = { kind: 'oauth2_client', scopes: [], token_url: address.replace('{siren}', '') }
      expect(
        await chat.call('PUT', `/tools/${id}`, { auth, secrets: { client_id: 'x', client_secret: 'x' } }),
      ).toMatchObject(refusal)
      await chat.call('DELETE', `/tools/${id}`)
    },
  )

  it('asks by default if it changes data, and a person may decide otherwise [XT-10]', async () => {
    const { call, ...words } = score()
    const { id } = await make({ ...words, call: { ...call, method: 'POST' } })
    const read = async () => (await chat.call('GET', `/tools/${id}`)).body
    expect(await read()).toMatchObject({ policy: 'ask', repeatable: false })
    await chat.call('PUT', `/tools/${id}/policy`, { policy: 'auto' })
    expect((await read()).policy).toBe('auto')
    // The change is the owner's own, so their permission stays valid for themselves.
    await chat.call('PUT', `/tools/${id}`, { description: 'Something else.' })
    expect(await read()).toMatchObject({ policy: 'auto', version: 2 })
    const assistant = await chat.call('POST', '/assistants', { name: 'Buyer', tools: [id] })
    const assistant_id = assistant.body.id
    await chat.call('PUT', `/tools/${id}/policy`, { policy: 'never', assistant_id })
    const other = await chat.call('GET', `/tools/${id}/policy?assistant_id=${assistant_id}`)
    // A person's own decision takes precedence over the assistant's.
    expect(other.body).toMatchObject({ policy: 'auto', source: 'user' })
  })

  it('an assistant uses the version it began with until someone takes the newest [XT-12]', async () => {
    api.answer({ body: { ok: true } })
    const { call, ...words } = score()
    const { id } = await make({ ...words, call: { ...call, address: `${api.url}/old/{siren}` } })
    const { body: assistant } = await chat.call('POST', '/assistants', { name: 'Buyer', tools: [id] })
    expect(assistant.tool_versions).toEqual({ [id]: 1 })
    await chat.call('PUT', `/tools/${id}`, { call: { ...call, address: `${api.url}/new/{siren}` } })
    const pathOf = async (metadata: Record<string, unknown>) => {
      chat.model.reply([calls(id, { siren: '1' })], [says('Done.')])
      const stream = await chat.ask(await chat.aSession({ metadata }), 'Go')
      await stream.ended
      return api.take().path
    }
    const path = `/assistants/${assistant.id}`
    expect(await pathOf({ assistant_id: assistant.id })).toBe('/old/1')
    expect(await pathOf({ session_tools: [id] })).toBe('/new/1')
    const renamed = await chat.call('PATCH', path, { name: 'Buyer of Lyon' })
    expect(renamed.body.tool_versions).toEqual({ [id]: 1 })
    const taken = await chat.call('PATCH', path, { newest_tools: true })
    expect(taken.body.tool_versions).toEqual({ [id]: 2 })
    expect(await pathOf({ assistant_id: assistant.id })).toBe('/new/1')
    const file = await chat.call('POST', `${path}/export`)
    expect(JSON.stringify(file.body)).not.toContain('tool_versions')
  })

  it('a waiting run continues with the version it began with [XT-12]', async () => {
    api.answer({ body: { ok: true } })
    const { call, ...words } = score()
    const { id } = await make({
      ...words,
      call: { ...call, method: 'POST', address: `${api.url}/old/{siren}` },
    })
    chat.model.reply([calls(id, { siren: '1' })], [says('Done.')])
    const sessionId = await chat.aSession()
    const stream = await chat.ask(sessionId, 'Go')
    await stream.until('input_required')
    const changes = { call: { ...call, method: 'POST', address: `${api.url}/new/{siren}` } }
    expect((await chat.call('PUT', `/tools/${id}`, changes)).body.version).toBe(2)
    const [waiting] = (await chat.call('GET', '/input-requests')).body.items
    const { tool_execution_id } = waiting.request.tool
    await chat.call('POST', `/tool-executions/${tool_execution_id}/provide-input`, { input: 'yes' })
    await readOn(chat, sessionId)
    expect(api.take().path).toBe('/old/1')
  })
})

describe('secrets of a tool', () => {
  it('are sealed, sent, and never returned', async () => {
    const key = 'a-key-nobody-sees-again'
    api.answer({ body: { score: 1 } })
    const auth = { kind: 'api_key', place: 'header', name: 'X-Api-Key' }
    const { id } = await make(score({ auth, secrets: { api_key: key } }))
    await execute(id, { siren: '1' })
    expect(api.take().headers['x-api-key']).toBe(key)
    const answers = await Promise.all(
      [`/tools/${id}/definition`, `/tools/${id}`, '/tools'].map((path) => chat.call('GET', path)),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(JSON.stringify(answers)).not.toContain(key)
    expect(answers[0]?.body).toMatchObject({ auth, secrets: [{ name: 'api_key' }] })
    const stored = await chat.app.deps.db.selectFrom('own_tool_secrets').selectAll().execute()
    expect(JSON.stringify(stored)).not.toContain(key)
  })
})

describe('sharing of a tool', () => {
  it('lets members of the company use it, and no one else [XT-13]', async () => {
    const companyId = await aCompany(chat.app)
    const admin = await aUser(chat.app, { role: 'company_admin', companyId })
    const colleague = await aUser(chat.app, { role: 'member', companyId })
    const stranger = await aUser(chat.app, { role: 'member', companyId: await aCompany(chat.app) })
    const as = ({ headers }: { headers: Record<string, string> }) => headers
    const made = await chat.call('POST', '/tools', score({ companies: [companyId] }), as(admin))
    expect(made.status).toBe(201)
    const path = `/tools/${made.body.id}`
    expect((await chat.call('GET', path, undefined, as(colleague))).body).toMatchObject({ own: false })
    expect((await chat.call('GET', path, undefined, as(stranger))).body).toMatchObject({ code: 'forbidden' })
    expect((await chat.call('PUT', path, { ui_name: 'Mine' }, as(colleague))).status).toBe(403)
    expect((await chat.call('GET', `${path}/definition`, undefined, as(colleague))).status).toBe(403)
    const refused = await chat.call('POST', '/tools', score({ companies: [companyId] }), as(colleague))
    expect(refused.body.detail).toBe('Only an administrator of a company can share a tool with it.')
    await chat.call('PUT', path, { companies: [] }, as(admin))
    expect((await chat.call('GET', path, undefined, as(colleague))).status).toBe(403)
  })
})

describe('tools as a file', () => {
  it('are exported without secrets, and created again by the person who imports them [XT-17]', async () => {
    const auth = { kind: 'bearer' }
    const { id } = await make(score({ auth, secrets: { token: 'never-in-a-file' }, policy: 'ask' }))
    const file = (await chat.call('POST', '/tools/export', { tool_ids: [id] })).body
    expect(JSON.stringify(file)).not.toContain('never-in-a-file')
    const other = await aUser(chat.app)
    const made = await chat.call('POST', '/tools/import', file, other.headers)
    expect(made.body).toMatchObject([{ ui_name: 'Supplier score', own: true, policy: 'ask', version: 1 }])
    const path = `/tools/${made.body[0].id}`
    expect((await chat.call('GET', `${path}/definition`, undefined, other.headers)).body).toMatchObject({
      ...{ auth, secrets: [], call: file.sets[0].tools[0].call },
    })
    const { body } = await chat.call(
      'POST',
      '/tools/try',
      { tool_id: made.body[0].id, inputs: { siren: '1' } },
      other.headers,
    )
    expect(body.problem).toBe('This tool has no secret “token”. Its owner can enter it.')
    // The author of a file cannot make a tool that changes data run without asking.
    const writing = structuredClone(file)
    Object.assign(writing.sets[0].tools[0], { policy: 'auto' })
    writing.sets[0].tools[0].call.method = 'POST'
    const asks = await chat.call('POST', '/tools/import', writing, other.headers)
    expect(asks.body).toMatchObject([{ policy: 'ask' }])
    const wrong = { ...file, sets: [{ ...file.sets[0], name: 'x', tools: [] }] }
    expect((await chat.call('POST', '/tools/import', wrong, other.headers)).status).toBe(422)
  })
})

describe('versions of a tool', () => {
  it('show the changes of each, and can be restored as a new version', async () => {
    const { id } = await make()
    const { call } = score()
    await chat.call('PUT', `/tools/${id}`, { description: 'Anew.' })
    await chat.call('PUT', `/tools/${id}`, { call: { ...call, seconds: 30 } })
    const read = async () => (await chat.call('GET', `/tools/${id}/versions?limit=2`)).body
    expect(await read()).toMatchObject({
      has_more: true,
      items: [
        { version: 3, changed: ['seconds'] },
        { version: 2, changed: ['description'] },
      ],
    })
    const older = (await chat.call('GET', `/tools/${id}/versions?before=2`)).body
    expect(older).toMatchObject({ has_more: false, items: [{ version: 1, changed: [] }] })
    const back = await chat.call('POST', `/tools/${id}/return`, { version: 1 })
    expect(back.body).toMatchObject({ version: 4, description: 'Financial health of a company.' })
    expect((await chat.call('POST', `/tools/${id}/return`, { version: 9 })).status).toBe(404)
  })
})
