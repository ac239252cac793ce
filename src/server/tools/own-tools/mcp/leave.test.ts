import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aCompany, aUser, type TestUser } from '#tests/builders.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { type ClaimedTool, startClaimingMcpServer } from '#tests/claiming-mcp-server.ts'
import { calls, says } from '#tests/model-server.ts'

const reading = { name: 'find', description: 'Finds.', annotations: { readOnlyHint: true } }
const offered: ClaimedTool[] = [
  reading,
  { name: 'drop', annotations: { readOnlyHint: true, destructiveHint: true } },
  { name: 'post', annotations: { readOnlyHint: true, openWorldHint: true } },
  { name: 'count', annotations: { readOnlyHint: true, idempotentHint: false } },
  { name: 'write', annotations: { readOnlyHint: false } },
  { name: 'quiet' },
]

let mcp: Awaited<ReturnType<typeof startClaimingMcpServer>>
let chat: Chat
beforeAll(async () => {
  mcp = await startClaimingMcpServer(offered)
  chat = await startChat({ app: { config: { ATRIUM_TOOLS_PRIVATE: mcp.origin } } })
})
afterAll(async () => {
  await chat.close()
  mcp.close()
})
beforeEach(() => {
  mcp.offer(offered)
  mcp.called.length = 0
  chat.model.forget()
})

type Tool = { id: string; key: string; version: number; claim: string; runs: string; news: string | null }
type Server = { id: string; tools: Tool[] }

async function connect(more: object = {}, user: TestUser = chat.user): Promise<Server> {
  const address = { kind: 'http', url: `${mcp.origin}/mcp` }
  const answer = await chat.call('POST', '/mcp-servers', { name: 'Claims', address, ...more }, user.headers)
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.body
}
const toolOf = ({ tools }: Server, key: string): Tool => tools.find((one) => one.key === key)!
const decide = (server: Server, body: object, user: TestUser = chat.user) =>
  chat.call('PUT', `/mcp-servers/${server.id}/tools`, body, user.headers)
const setPolicy = (id: string, body: object, user: TestUser = chat.user) =>
  chat.call('PUT', `/tools/${id}/policy`, body, user.headers)
const refresh = async (server: Server): Promise<Server> =>
  (await chat.call('POST', `/mcp-servers/${server.id}/refresh`)).body
const policyOf = async (id: string, user: TestUser = chat.user) =>
  (await chat.call('GET', `/tools/${id}`, undefined, user.headers)).body.policy

/** Returns whether a model's call waits for a person; otherwise the server was called. */
async function asks(id: string): Promise<boolean> {
  chat.model.forget()
  chat.model.reply([calls(id, {})], [says('Done.')])
  const sessionId = await chat.aSession({ metadata: { session_tools: [id] } })
  const stream = await chat.ask(sessionId, 'Go')
  await stream.ended
  const waits = stream.view()?.blocks.some(({ type }) => type === 'input_required') ?? false
  if (waits) await chat.call('POST', `/sessions/${sessionId}/stop`)
  return waits
}

describe('tool of a newly connected server', () => {
  it('asks before each use, whatever its server claims', async () => {
    const server = await connect()
    expect(Object.fromEntries(server.tools.map(({ key, claim }) => [key, claim]))).toEqual({
      ...{ find: 'reads', drop: 'contradicts', post: 'contradicts', count: 'contradicts' },
      ...{ write: 'writes', quiet: 'silent' },
    })
    expect(server.tools.map(({ runs }) => runs)).toEqual(server.tools.map(() => 'ask'))
    for (const key of ['find', 'drop']) expect(await asks(toolOf(server, key).id), key).toBe(true)
    expect(mcp.called).toEqual([])
  })

  it('runs without asking once its owner allows it', async () => {
    const server = await connect()
    const { id, version } = toolOf(server, 'find')
    await decide(server, { tool_id: id, policy: 'auto', version })
    expect(await asks(id)).toBe(false)
    expect(mcp.called).toEqual(['find'])
  })

  it('is allowed together with all tools that claim to be read-only, and no others', async () => {
    const server = await connect()
    const seen = server.tools.map(({ id, version }) => ({ tool_id: id, version }))
    const path = `/mcp-servers/${server.id}/reading-tools`
    const { body } = await chat.call('PUT', path, { policy: 'auto', tools: seen })
    expect(body.tools.filter(({ runs }: Tool) => runs === 'auto').map(({ key }: Tool) => key)).toEqual([
      'find',
    ])
    const back = await chat.call('PUT', path, { policy: 'ask', tools: seen })
    expect(toolOf(back.body, 'find').runs).toBe('ask')
    const unseen = await chat.call('PUT', path, { policy: 'auto', tools: [] })
    expect(toolOf(unseen.body, 'find').runs).toBe('ask')
  })

  it('does not inherit the permission of a tool with the same name on another server', async () => {
    const [one, other] = [await connect(), await connect()]
    await decide(one, { tool_id: toolOf(one, 'find').id, policy: 'auto' })
    await setPolicy(toolOf(one, 'find').id, { policy: 'auto' })
    expect(await policyOf(toolOf(one, 'find').id)).toBe('auto')
    expect(await policyOf(toolOf(other, 'find').id)).toBe('ask')
    const foreign = await decide(other, { tool_id: toolOf(one, 'find').id, policy: 'auto' })
    expect(foreign.status).toBe(422)
  })
})

describe('allowed tool', () => {
  async function allowed() {
    const server = await connect()
    const { id, version } = toolOf(server, 'find')
    await decide(server, { tool_id: id, policy: 'auto', version })
    await setPolicy(id, { policy: 'auto', tool_version: version })
    expect(await policyOf(id)).toBe('auto')
    return { server, id, version }
  }

  it.each<[string, ClaimedTool]>([
    ['description', { ...reading, description: 'Finds, and sends it on.' }],
    ['schema', { ...reading, inputSchema: { type: 'object', properties: { secret: { type: 'string' } } } }],
    ['title', { ...reading, title: 'Find all' }],
    ['hints', { ...reading, annotations: { readOnlyHint: true, destructiveHint: true } }],
    ['smallest hint', { ...reading, annotations: { readOnlyHint: true, idempotentHint: true } }],
    [
      'part of a schema that is not stored',
      { ...reading, inputSchema: { type: 'object', 'x-note': 'other' } },
    ],
  ])('asks again when its %s changes, and says that it changed', async (_, changed) => {
    const { server, id } = await allowed()
    mcp.offer([changed])
    const now = toolOf(await refresh(server), 'find')
    expect(now).toMatchObject({ news: 'changed', runs: 'ask' })
    expect((await chat.call('GET', `/tools/${id}`)).body.said).toMatchObject({ news: 'changed' })
    expect(await asks(id)).toBe(true)
    expect(mcp.called).toEqual([])
  })

  it('stays allowed while its description is the same, in any key order', async () => {
    const { server, id } = await allowed()
    mcp.offer([{ annotations: { readOnlyHint: true }, description: 'Finds.', name: 'find' }])
    expect(toolOf(await refresh(server), 'find')).toMatchObject({ news: null, runs: 'auto' })
    expect(await policyOf(id)).toBe('auto')
  })

  it('is allowed only in the version that a person has seen', async () => {
    const { server, id, version } = await allowed()
    mcp.offer([{ ...reading, description: 'Deletes.' }])
    await refresh(server)
    expect((await decide(server, { tool_id: id, policy: 'auto', version })).status).toBe(409)
    expect((await setPolicy(id, { policy: 'auto', tool_version: version })).status).toBe(409)
    const tools = [{ tool_id: id, version }]
    const all = await chat.call('PUT', `/mcp-servers/${server.id}/reading-tools`, { policy: 'auto', tools })
    expect(all.status).toBe(409)
    expect(await policyOf(id)).toBe('ask')
  })

  it('asks again if its server moves to another address', async () => {
    const { server, id } = await allowed()
    const address = { kind: 'http', url: `${mcp.origin}/elsewhere` }
    const { body } = await chat.call('PATCH', `/mcp-servers/${server.id}`, { address })
    expect(toolOf(body, 'find')).toMatchObject({ news: 'moved', runs: 'ask' })
    expect(await policyOf(id)).toBe('ask')
  })

  it('keeps its permission if its server is only renamed', async () => {
    const { server, id } = await allowed()
    await chat.call('PATCH', `/mcp-servers/${server.id}`, { name: 'Other name' })
    expect(await policyOf(id)).toBe('auto')
  })

  it('keeps a permission given before an update that introduced hashes', async () => {
    const { server, id } = await allowed()
    const { db } = chat.app.deps
    const before = { input_schema: { type: 'object' }, reads: true, repeats: true, ui: null }
    await db
      .updateTable('own_tool_versions')
      .set({ definition: JSON.stringify(before) })
      .where('tool_id', '=', id)
      .execute()
    expect(toolOf(await refresh(server), 'find')).toMatchObject({ claim: 'reads', news: null, runs: 'auto' })
  })
})

describe('tool of a shared server', () => {
  async function shared() {
    const companyId = await aCompany(chat.app)
    const [boss, mate] = [
      await aUser(chat.app, { role: 'company_admin', companyId }),
      await aUser(chat.app, { role: 'member', companyId }),
    ]
    const server = await connect({ companies: [companyId] }, boss)
    return { boss, mate, server, id: toolOf(server, 'find').id }
  }

  it('can be allowed for everyone by an administrator, but not by a colleague', async () => {
    const { boss, mate, server, id } = await shared()
    expect(await policyOf(id, mate)).toBe('ask')
    expect((await setPolicy(id, { policy: 'auto' }, mate)).status).toBe(403)
    expect((await decide(server, { tool_id: id, policy: 'auto' }, mate)).status).toBe(403)
    const made = await chat.call('POST', '/assistants', { name: 'Desk' }, mate.headers)
    const forDesk = { policy: 'auto', assistant_id: made.body.id }
    expect((await setPolicy(id, forDesk, mate)).status).toBe(403)
    expect(await policyOf(id, mate)).toBe('ask')
    const { body } = await chat.call('GET', `/tools/${id}`, undefined, mate.headers)
    expect(body).toMatchObject({ may_allow: false, said: { claim: 'reads' } })
    expect((await decide(server, { tool_id: id, policy: 'auto' }, boss)).status).toBe(200)
    expect(await policyOf(id, mate)).toBe('auto')
    // A person may be stricter for themselves, and return to the administrator's decision.
    expect((await setPolicy(id, { policy: 'ask' }, mate)).body.policy).toBe('ask')
    expect((await setPolicy(id, { policy: 'auto' }, mate)).body.policy).toBe('auto')
  })

  it('cannot be allowed by an owner who no longer administers the company', async () => {
    const { boss, server, id } = await shared()
    const { db } = chat.app.deps
    await db.updateTable('company_members').set({ role: 'member' }).where('user_id', '=', boss.id).execute()
    expect((await decide(server, { tool_id: id, policy: 'auto' }, boss)).status).toBe(403)
    expect((await setPolicy(id, { policy: 'auto' }, boss)).status).toBe(403)
    expect((await chat.call('PUT', `/tools/${id}`, { policy: 'auto' }, boss.headers)).status).toBe(403)
    expect((await decide(server, { tool_id: id, policy: 'never' }, boss)).status).toBe(200)
  })
})
