import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Chat, startChat } from '#tests/chat.ts'
import { startClaimingMcpServer } from '#tests/claiming-mcp-server.ts'
import { calls, type ModelRequest } from '#tests/model-server.ts'

const SERVERS = ['billing', 'travel', 'hiring', 'stock', 'legal']
const PER_SERVER = 59

type Mcp = Awaited<ReturnType<typeof startClaimingMcpServer>>
let servers: Mcp[]
let chat: Chat
/** Ids of the tools by their names. */
const ids = new Map<string, string>()

beforeAll(async () => {
  servers = await Promise.all(
    SERVERS.map((topic) =>
      startClaimingMcpServer([
        ...Array.from({ length: PER_SERVER }, (_, at) => ({
          name: `${topic}_${at}`,
          description: `Handles ${topic} matter number ${at}.`,
        })),
        ...(topic === 'legal'
          ? [
              { name: 'check_trademark', description: 'Checks whether a trademark is registered.' },
              { name: 'odd', inputSchema: { type: 'nothing', properties: 5 } },
            ]
          : []),
      ]),
    ),
  )
  const ATRIUM_TOOLS_PRIVATE = servers.map(({ origin }) => origin).join(',')
  chat = await startChat({ app: { config: { ATRIUM_TOOLS_PRIVATE } } })
  for (const [at, { origin }] of servers.entries()) {
    const address = { kind: 'http', url: `${origin}/mcp` }
    const { status, body } = await chat.call('POST', '/mcp-servers', { name: SERVERS[at], address })
    expect(status, JSON.stringify(body)).toBe(201)
    for (const { key, id } of body.tools) ids.set(key, id)
  }
}, 120_000)
afterAll(async () => {
  await chat.close()
  for (const server of servers) server.close()
})

async function ask(sessionId: string, content: string): Promise<ModelRequest> {
  await (await chat.ask(sessionId, content)).ended
  return chat.model.requests.at(-1) as ModelRequest
}
const namesIn = ({ tools = [] }: ModelRequest) =>
  (tools as { function: { name: string } }[]).map((tool) => tool.function.name)

describe('a chat with 300 tools of five servers, one of which offers a malformed tool', () => {
  it('sends at most 40 tools, among them those that fit the first message, and the same ones in every turn', async () => {
    expect(ids.size).toBeGreaterThanOrEqual(5 * PER_SERVER)
    const id = await chat.aSession()
    const first = await ask(id, 'Is this trademark registered?')
    expect(namesIn(first).length).toBeLessThanOrEqual(40)
    expect(namesIn(first)).toContain(ids.get('check_trademark'))
    let before = first
    for (let turn = 2; turn <= 10; turn++) {
      const request = await ask(id, `Question ${turn} about travel`)
      expect(request.tools).toEqual(first.tools)
      expect(request.messages.slice(0, before.messages.length)).toEqual(before.messages)
      before = request
    }
  })

  it('finds a further tool by what it does, and can call it', async () => {
    const id = await chat.aSession()
    const wanted = ids.get('check_trademark') as string
    chat.model.reply([calls('find_tools', { query: 'trademark registered' })], [calls(wanted, {})])
    const before = chat.model.requests.length
    const stream = await chat.ask(id, 'Hello')
    // Tools of servers ask before they run.
    await stream.until('input_required')
    const asked = stream.view()?.blocks.find(({ type }) => type === 'input_required')
    expect(asked).toMatchObject({ kind: 'approval', tool: { tool_id: wanted } })
    const [first, second] = chat.model.requests.slice(before) as [ModelRequest, ModelRequest]
    expect(namesIn(first)).not.toContain(wanted)
    expect(namesIn(second)).toContain(wanted)
    expect(namesIn(second).length).toBeLessThanOrEqual(40)
    await chat.call('POST', `/sessions/${id}/stop`)
  })
})
