import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Chat, startChat } from '#tests/chat.ts'
import { calls, says } from '#tests/model-server.ts'
import { answerJson, aTool, refusal, startWebMcpServer, type WebMcpServer } from '#tests/web-mcp-server.ts'

const issues = JSON.stringify([{ path: ['n'], message: 'Expected a number' }], null, 2)
const results: Record<string, unknown> = {
  text: { content: [{ type: 'text', text: 'The order is closed.' }], isError: true },
  data: { content: [], structuredContent: { reason: 'The order is closed.' }, isError: true },
  issues: { content: [{ type: 'text', text: `MCP error -32602: Invalid: ${issues}` }], isError: true },
}

let chat: Chat
let odd: WebMcpServer
beforeAll(async () => {
  odd = await startWebMcpServer({
    tools: [
      ...['text', 'data', 'issues', 'rpc', 'gateway'].map((name) => aTool(name)),
      aTool('', { description: 'No name.' }),
      aTool('words', { inputSchema: { type: 'string' } }),
    ],
    answer: (one, response) => {
      if (one.params?.name === 'rpc') answerJson(response, refusal(one, -32_603, 'The index is rebuilt.'))
      if (one.params?.name === 'gateway')
        answerJson(response, { error: { message: 'Too many calls. Wait 20 s.' } }, 429)
      return ['rpc', 'gateway'].includes(one.params?.name)
    },
    result: ({ params }) => results[params.name],
  })
  chat = await startChat({
    user: { role: 'super_admin' },
    app: { config: { ATRIUM_TOOLS_PRIVATE: odd.url } },
  })
})
afterAll(async () => {
  await chat.close()
  await odd.close()
})

const connect = async (address: object = { kind: 'http', url: odd.url }) =>
  chat.call('POST', '/mcp-servers', { name: 'Odd', address })

describe('MCP server with odd tools', () => {
  it('is connected, with the omitted tools listed', async () => {
    const { status, body } = await connect()
    expect(status, JSON.stringify(body)).toBe(201)
    expect(body.tools.map(({ key }: { key: string }) => key)).toHaveLength(5)
    const refused = [
      { name: '', why: 'name' },
      { name: 'words', why: 'inputs' },
    ]
    expect(body).toMatchObject({ left: 2, server: { refused } })
    expect((await chat.call('GET', `/mcp-servers/${body.id}`)).body.server.refused).toEqual(refused)
  })

  it.each([
    ['text', 'The order is closed.'],
    ['data', '{"reason":"The order is closed."}'],
    ['issues', 'Invalid: n: Expected a number'],
    ['rpc', 'Odd answered: The index is rebuilt.'],
    ['gateway', 'Odd answered: Too many calls. Wait 20 s. (429)'],
  ])('has its own sentence about a failure (%s) told to the model', async (key, sentence) => {
    const { body: server } = await connect()
    const { id } = server.tools.find((tool: { key: string }) => tool.key === key)
    await chat.call('PUT', `/tools/${id}/policy`, { policy: 'auto' })
    chat.model.reply([calls(id, {})], [says('It failed.')])
    const sessionId = await chat.aSession({ metadata: { session_tools: [id] } })
    await (await chat.ask(sessionId, 'Do it')).ended
    expect(chat.model.requests.at(-1)?.messages.at(-1)).toMatchObject({
      ...{ role: 'tool', content: `Error: ${sentence}` },
    })
  })
})

describe('MCP server in a private network', () => {
  const sentence = (host: string) =>
    `${host} is in a private network. The administrator of this server can allow it in the setting ATRIUM_TOOLS_PRIVATE.`

  it('is refused with the name of the setting and who can change it', async () => {
    for (const host of ['10.0.0.1', 'localhost', '[fd00::1]']) {
      const { status, body } = await connect({ kind: 'http', url: `http://${host}:39181/mcp` })
      expect([status, body.detail]).toEqual([422, sentence(host)])
    }
  })

  it('reports it on its page and in its calls if the setting is withdrawn', async () => {
    const { body: server } = await connect()
    const trusted = chat.app.deps.config.ATRIUM_TOOLS_PRIVATE.splice(0)
    const refreshed = await chat.call('POST', `/mcp-servers/${server.id}/refresh?reconnect`)
    expect(refreshed.body.error).toBe(sentence('127.0.0.1'))
    const started = await chat.call('POST', `/tools/${server.tools[0].id}/execute`, { inputs: {} })
    const execution = () => chat.call('GET', `/tool-executions/${started.body.tool_execution_id}`)
    await expect.poll(async () => (await execution()).body.error).toBe(sentence('127.0.0.1'))
    chat.app.deps.config.ATRIUM_TOOLS_PRIVATE.push(...trusted)
  })
})
