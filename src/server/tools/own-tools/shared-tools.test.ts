import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type ApiServer, startApiServer } from '#tests/api-server.ts'
import { readOn } from '#tests/asking.ts'
import { aCompany, aUser, type TestUser } from '#tests/builders.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { startClaimingMcpServer } from '#tests/claiming-mcp-server.ts'
import { calls, says } from '#tests/model-server.ts'
import { supplierTool } from '#tests/supplier-tool.ts'

let api: ApiServer
let mcp: Awaited<ReturnType<typeof startClaimingMcpServer>>
let chat: Chat
let root: TestUser
beforeAll(async () => {
  api = await startApiServer()
  mcp = await startClaimingMcpServer([
    { name: 'find', description: 'Finds.', annotations: { readOnlyHint: true } },
  ])
  chat = await startChat({ app: { config: { ATRIUM_TOOLS_PRIVATE: `${api.url},${mcp.origin}` } } })
  const { id: company_id } = await chat.app.deps.db
    .insertInto('companies')
    .values({ name: 'Reader', outward_calls: 'off' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await chat.app.deps.db
    .insertInto('company_members')
    .values({ company_id, user_id: chat.user.id, role: 'member' })
    .execute()
  root = await aUser(chat.app, { role: 'super_admin', companyId: await aCompany(chat.app) })
})
afterAll(async () => {
  await chat.close()
  await api.close()
  mcp.close()
})
beforeEach(() => {
  chat.model.forget()
  api.asked.length = 0
})

const call = (user: TestUser, method: string, path: string, body?: unknown) =>
  chat.call(method, path, body, user.headers)

/** Creates a tool of the super admin that only calls an API after an approval, shared with the user of the chat. */
async function aSharedTool(policy: 'ask' | 'auto') {
  const auth = { kind: 'api_key', place: 'header', name: 'X-Api-Key' }
  const tool = supplierTool(api, { policy, auth, secrets: { api_key: 'top-secret' } })
  const { body } = await call(root, 'POST', '/tools', tool)
  const { set } = (await call(root, 'GET', `/tools/${body.id}/definition`)).body
  const shares = `/tool-sets/${set.id}/shares`
  const made = await call(root, 'POST', shares, { recipient: { who: 'person', id: chat.user.id } })
  const withdraw = () => call(root, 'DELETE', `${shares}/${made.body.items[0].id}`)
  return { id: body.id as string, withdraw }
}

describe('shared tool in an open chat', () => {
  it('is called with the secret of its owner until the share is withdrawn', async () => {
    const { id, withdraw } = await aSharedTool('auto')
    const sessionId = await chat.aSession({ metadata: { session_tools: [id] } })
    const send = async () => {
      chat.model.reply([calls(id, { siren: '1' })], [says('Done.')])
      const before = chat.model.requests.length
      await (await chat.ask(sessionId, 'Go')).ended
      return JSON.stringify(chat.model.requests[before]?.tools ?? [])
    }
    expect(await send()).toContain(id)
    expect(api.take().headers['x-api-key']).toBe('top-secret')
    expect((await withdraw()).status).toBe(200)
    expect(await send()).not.toContain(id)
    expect(api.asked).toEqual([])
  })

  it('is not called after an approval that comes when the share has been withdrawn', async () => {
    const { id, withdraw } = await aSharedTool('ask')
    chat.model.reply([calls(id, { siren: '1' })], [says('Done.')])
    const sessionId = await chat.aSession({ metadata: { session_tools: [id] } })
    await (await chat.ask(sessionId, 'Go')).until('input_required')
    const [waiting] = (await chat.call('GET', '/input-requests')).body.items
    expect((await withdraw()).status).toBe(200)
    const path = `/tool-executions/${waiting.request.tool.tool_execution_id}/provide-input`
    await chat.call('POST', path, { input: 'yes' })
    await readOn(chat, sessionId)
    expect(api.asked).toEqual([])
  })

  it('is not started on its own after the share is withdrawn', async () => {
    const { id, withdraw } = await aSharedTool('auto')
    const start = () => chat.call('POST', `/tools/${id}/execute`, { inputs: { siren: '1' } })
    expect((await start()).status).toBe(202)
    await expect.poll(() => api.asked.length).toBe(1)
    await withdraw()
    expect((await start()).status).toBe(403)
    expect((await chat.call('GET', `/tools/${id}/policy`)).status).toBe(403)
    expect(api.asked).toHaveLength(1)
  })
})

describe('shared MCP server', () => {
  it('names who shared it and shows neither its address nor its secrets', async () => {
    const address = { kind: 'http', url: `${mcp.origin}/secret-path/mcp` }
    const wish = { name: 'ERP', address, secrets: { Authorization: 'Bearer top-secret' } }
    const { body: server } = await call(root, 'POST', '/mcp-servers', wish)
    const shares = `/tool-sets/${server.id}/shares`
    const made = await call(root, 'POST', shares, { recipient: { who: 'everybody' } })
    expect(made.body.items).toMatchObject([{ who: 'everybody', name: null, can_remove: true }])
    const listed = await chat.call('GET', '/mcp-servers')
    expect(listed.body).toMatchObject([{ id: server.id, own: false, shared_by: root.username }])
    const seen = [
      listed,
      await chat.call('GET', `/mcp-servers/${server.id}`),
      await chat.call('GET', '/tools'),
      await chat.call('GET', `/tools/${server.tools[0].id}`),
    ]
    expect(seen[1]).toMatchObject({
      body: { address: null, secrets: [], companies: [], shared_by: root.username },
    })
    for (const secret of ['secret-path', 'top-secret', 'Authorization', mcp.origin])
      expect(JSON.stringify(seen)).not.toContain(secret)
    for (const [method, path, body] of [
      ['PATCH', `/mcp-servers/${server.id}`, { name: 'Mine' }],
      ['DELETE', `/mcp-servers/${server.id}`],
      ['GET', `/mcp-servers/${server.id}/health`],
      ['GET', `/tool-sets/${server.id}`],
      ['GET', shares],
    ] as const)
      expect(await chat.call(method, path, body), `${method} ${path}`).toMatchObject({ status: 403 })
    await call(root, 'DELETE', `${shares}/${made.body.items[0].id}`)
    expect((await chat.call('GET', '/mcp-servers')).body).toEqual([])
    expect((await chat.call('GET', `/mcp-servers/${server.id}`)).status).toBe(403)
  })
})

describe('shared assistant', () => {
  it('lets tools run without asking only if an administrator shared it', async () => {
    const companyId = await aCompany(chat.app)
    await call(root, 'PATCH', `/admin/companies/${companyId}`, { members_share: true })
    const reader = await aUser(chat.app, { role: 'member', companyId })
    const policyBy = async (role: 'member' | 'company_admin') => {
      const owner = await aUser(chat.app, { role, companyId })
      const desk = await call(owner, 'POST', '/assistants', { name: 'Desk', status: 'published' })
      const assistant_id = desk.body.id
      await call(owner, 'PUT', '/tools/web_search/policy', { policy: 'auto', assistant_id })
      const recipient = { who: 'person', id: reader.id }
      expect((await call(owner, 'POST', `/assistants/${assistant_id}/shares`, { recipient })).status).toBe(
        200,
      )
      const read = (user: TestUser) =>
        call(user, 'GET', `/tools/web_search/policy?assistant_id=${assistant_id}`)
      return [(await read(owner)).body.source, (await read(reader)).body.source]
    }
    expect(await policyBy('company_admin')).toEqual(['assistant', 'assistant'])
    expect(await policyBy('member')).toEqual(['assistant', 'tool'])
  })
})
