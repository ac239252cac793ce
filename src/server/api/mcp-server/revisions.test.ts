import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anApiKey } from '#tests/api-key.ts'
import { type Chat, startChat } from '#tests/chat.ts'

const VERSION = '2026-07-28'
const prefix = 'io.modelcontextprotocol/'

let chat: Chat
let token = ''
beforeAll(async () => {
  chat = await startChat({ app: { config: { ATRIUM_EMBEDDING_MODEL: 'atrium/lexical' } } })
  const { secret } = await anApiKey(chat.app, chat.user, { scopes: ['assistants', 'documents.read'] })
  token = secret
})
afterAll(() => chat.close())

type Sent = { method: string; params?: object; version?: string; headers?: Record<string, string> }

/** Sends one request as the revision of 2026-07-28 has it. */
async function send({ method, params = {}, version = VERSION, headers = {} }: Sent) {
  const _meta = { [`${prefix}protocolVersion`]: version, [`${prefix}clientCapabilities`]: {} }
  const answer = await fetch(chat.url.replace('/api/v1', '/mcp'), {
    method: 'POST',
    headers: {
      ...{ authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...{ accept: 'application/json, text/event-stream', 'mcp-protocol-version': version },
      ...{ 'mcp-method': method, ...headers },
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }),
  })
  const text = await answer.text()
  const data = /^data: (.*)$/m.exec(text)?.[1]
  return {
    status: answer.status,
    session: answer.headers.get('mcp-session-id'),
    body: JSON.parse(data ?? text),
  }
}

describe('the MCP server to a program of 2026-07-28', () => {
  it('says which revisions it speaks, without a handshake or a session', async () => {
    const { status, session, body } = await send({ method: 'server/discover' })
    expect([status, session]).toEqual([200, null])
    expect(body.result).toMatchObject({
      ...{ resultType: 'complete', supportedVersions: expect.arrayContaining([VERSION]) },
      capabilities: { tools: {}, resources: {}, prompts: {} },
    })
  })

  it('answers each request for itself, and says how long a list is fresh', async () => {
    const { body } = await send({ method: 'tools/list' })
    expect(body.result).toMatchObject({
      ...{ resultType: 'complete', ttlMs: expect.any(Number), cacheScope: expect.any(String) },
    })
    const called = await send({
      ...{ method: 'tools/call', params: { name: 'list_assistants', arguments: {} } },
      headers: { 'mcp-name': 'list_assistants' },
    })
    expect(called.body.result).toMatchObject({ structuredContent: { assistants: expect.any(Array) } })
  })

  it.each<[how: string, sent: Sent, status: number, code: number]>([
    ['of another revision', { method: 'tools/list', version: '1900-01-01' }, 400, -32_022],
    [
      'whose headers name another method',
      { method: 'tools/list', headers: { 'mcp-method': 'ping' } },
      400,
      -32_020,
    ],
    ['for something it does not have', { method: 'tools/none' }, 404, -32_601],
  ])('refuses a request %s', async (_, sent, status, code) => {
    const answer = await send(sent)
    expect([answer.status, answer.body.error?.code], JSON.stringify(answer.body)).toEqual([status, code])
  })
})
