import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lastAudited } from '#tests/audit-log.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { answerJson, aTool, resultFor, startWebMcpServer, type WebMcpServer } from '#tests/web-mcp-server.ts'

/** Longer than the timeout of any request except tool calls. */
const SLOW_MS = 21_000
const done = { content: [{ type: 'text', text: 'It is done.' }] }
const reads = { annotations: { readOnlyHint: true } }

let chat: Chat
let slow: WebMcpServer
beforeAll(async () => {
  slow = await startWebMcpServer({
    tools: [aTool('json', reads), aTool('events', reads), aTool('never', reads)],
    answer: (one, response) => {
      if (one.method !== 'tools/call') return false
      const { name } = one.params
      if (name === 'events') response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
      if (name === 'json') setTimeout(() => answerJson(response, resultFor(one, done)), SLOW_MS)
      const event = `data: ${JSON.stringify(resultFor(one, done))}\n\n`
      if (name === 'events') setTimeout(() => response.end(event), SLOW_MS)
      return true
    },
  })
  chat = await startChat({
    user: { role: 'super_admin' },
    app: { config: { ATRIUM_TOOLS_PRIVATE: slow.url } },
  })
})
afterAll(async () => {
  await chat.close()
  await slow.close()
})

async function connect(more: object = {}) {
  const wish = { name: 'Slow', address: { kind: 'http', url: slow.url }, ...more }
  const { status, body } = await chat.call('POST', '/mcp-servers', wish)
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}
async function execute({ tools }: { tools: { key: string; id: string }[] }, key: string) {
  const id = tools.find((tool) => tool.key === key)?.id
  const started = await chat.call('POST', `/tools/${id}/execute`, { inputs: {} })
  for (;;) {
    const { body } = await chat.call('GET', `/tool-executions/${started.body.tool_execution_id}`)
    if (body.finished_at) return body
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

describe('time limit of a call', () => {
  it('is the same for an answer in JSON and one in events', { timeout: 60_000 }, async () => {
    const server = await connect()
    expect(server.limit_seconds).toBe(300)
    const [json, events] = await Promise.all([execute(server, 'json'), execute(server, 'events')])
    expect([json, events]).toMatchObject([{ result: 'It is done.' }, { result: 'It is done.' }])
  })

  it('can be set per server, and ends a call that takes longer', { timeout: 30_000 }, async () => {
    const server = await connect({ limit_seconds: 60 })
    expect(server.limit_seconds).toBe(60)
    const changed = await chat.call('PATCH', `/mcp-servers/${server.id}`, { limit_seconds: 5 })
    expect(changed.body).toMatchObject({ limit_seconds: 5, name: 'Slow' })
    expect(await lastAudited(chat.app, 'mcp_server.changed')).toMatchObject({
      changes: [{ what: 'time limit', before: '60', after: '5' }],
    })
    expect(await execute(changed.body, 'never')).toMatchObject({
      ...{ status: 'error', error: 'never took longer than 5 seconds.' },
    })
    expect(await chat.call('PATCH', `/mcp-servers/${server.id}`, { limit_seconds: 2 })).toMatchObject({
      status: 422,
    })
  })
})
