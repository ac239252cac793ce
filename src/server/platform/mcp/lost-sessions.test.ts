import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import {
  answerJson,
  type Received,
  refusal,
  resultFor,
  startWebMcpServer,
  type WebMcpServer,
} from '#tests/web-mcp-server.ts'
import { createOutbound } from '../outbound/outbound.ts'
import { createMcp, type Mcp, type McpCall, type McpServer } from './mcp.ts'

type Answer = (one: Received, response: ServerResponse) => boolean

const outbound = createOutbound()
const open: { server: WebMcpServer; mcp: Mcp }[] = []
afterEach(async () => {
  for (const { server, mcp } of open.splice(0)) {
    await mcp.close()
    await server.close()
  }
})
afterAll(() => outbound.close())

async function start(script: Parameters<typeof startWebMcpServer>[0] = { hasSessions: true }) {
  const server = await startWebMcpServer(script)
  const mcp = createMcp(outbound, [server.url])
  open.push({ server, mcp })
  const at: McpServer = {
    ...{ id: 'one', name: 'Orders' },
    address: { kind: 'http', url: server.url, headers: {}, account: null },
  }
  const call = async (more: Partial<McpCall> = {}) => {
    const happened = await mcp.call(at, { tool: 'work', input: {}, ...more }).next()
    if (happened.kind === 'failed') throw happened.error
    return happened
  }
  const sent = (method: string) => server.received.filter((one) => one.method === method).length
  return { server, mcp, at, call, sent }
}
const itDid = { result: { content: [{ text: 'It did work.' }] } }

/** Starts a server that answers the first call with `answer` and later calls normally. */
function firstCall(answer: (one: Received, response: ServerResponse) => void): Answer {
  let calls = 0
  return (one, response) => {
    if (one.method !== 'tools/call') return false
    calls += 1
    if (calls === 1) answer(one, response)
    return calls === 1
  }
}
const refusing = (status: number, message: string) =>
  firstCall((one, response) => answerJson(response, refusal(one, -32_000, message), status))

describe('server that has lost the session', () => {
  it('receives a new session and the refused call again', async () => {
    const { server, call, sent } = await start()
    expect(await call()).toMatchObject(itDid)
    server.forget()
    expect(await call()).toMatchObject(itDid)
    expect(server.called).toEqual(['work', 'work'])
    expect(sent('initialize')).toBe(2)
    const ids = server.received.filter(({ method }) => method === 'tools/call').map(({ session }) => session)
    expect(new Set(ids).size).toBe(2)
  })

  it('lists its tools again', async () => {
    const { server, mcp, at } = await start()
    await mcp.list(at)
    server.forget()
    expect((await mcp.list(at)).tools).toHaveLength(1)
  })

  it('is reached by a call after its restart', async () => {
    const { server, call } = await start()
    await call()
    await server.close()
    server.forget()
    await server.comeBack()
    // Waits for the end of the old connection to arrive.
    await sleep(50)
    expect(await call()).toMatchObject(itDid)
    expect(server.called).toEqual(['work', 'work'])
  })

  it.each([
    [400, 'Bad Request: No valid session ID provided'],
    [400, 'Session not found'],
    [400, 'Bad Request: Server not initialized'],
    [404, 'Session has been terminated'],
    [410, 'Unknown session'],
    [422, 'Invalid session ID'],
  ])('says so with %i, %s: a call that writes is repeated, as nothing was done', async (status, message) => {
    const { server, call } = await start({ answer: refusing(status, message) })
    expect(await call()).toMatchObject(itDid)
    expect(server.called).toEqual(['work'])
  })

  it('is asked twice at most', async () => {
    const { call, sent } = await start({
      answer: (one, response) => {
        if (one.method !== 'tools/call') return false
        answerJson(response, refusal(one, -32_001, 'Session not found'), 400)
        return true
      },
    })
    await expect(call()).rejects.toMatchObject({ detail: expect.stringContaining('Session not found') })
    expect(sent('tools/call')).toBe(2)
  })
})

/** Calls that may have been executed before they were lost. */
const cuts: [string, () => Answer][] = [
  ['the connection is cut', () => firstCall((_, response) => response.destroy())],
  [
    'the answer breaks off in the middle of its JSON',
    () =>
      firstCall((_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' }).write('{"jsonrpc":"2.0",')
        setTimeout(() => response.destroy(), 50)
      }),
  ],
  [
    'the events end without an answer',
    () =>
      firstCall((_, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': begun\n\n')
        setTimeout(() => response.end(), 50)
      }),
  ],
  [
    'the events can be resumed, and the server does not resume them',
    () =>
      firstCall((_, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write('id: 1\ndata:\n\n')
        setTimeout(() => response.destroy(), 50)
      }),
  ],
  ['it is accepted and never answered', () => firstCall((_, response) => response.writeHead(202).end())],
  [
    'the tool itself speaks of a session',
    () => firstCall((one, response) => answerJson(response, refusal(one, -32_603, 'Session expired'))),
  ],
]

describe('call with an unknown outcome because', () => {
  it.each(cuts)('%s is repeated if it is read-only', { timeout: 15_000 }, async (_, answer) => {
    const { call, sent } = await start({ answer: answer() })
    expect(await call({ repeats: true })).toMatchObject(itDid)
    expect(sent('tools/call')).toBe(2)
  })

  it.each(cuts)('%s is never repeated if it writes', { timeout: 15_000 }, async (why, answer) => {
    const { call, sent } = await start({ answer: answer() })
    const detail = why.startsWith('the tool')
      ? 'Orders answered: Session expired'
      : expect.stringMatching(/The call may still have been executed\.$/)
    await expect(call()).rejects.toMatchObject({ detail })
    expect(sent('tools/call')).toBe(1)
    expect(await call()).toMatchObject(itDid)
  })
})

it('waits for a slow answer in events', { timeout: 15_000 }, async () => {
  const answer = firstCall((one, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(': slow\n\n')
    const done = resultFor(one, { content: [{ type: 'text', text: 'It did work.' }] })
    setTimeout(() => response.end(`data: ${JSON.stringify(done)}\n\n`), 800)
  })
  const { call, sent } = await start({ answer })
  expect(await call()).toMatchObject(itDid)
  expect(sent('tools/call')).toBe(1)
})
