import type { ServerResponse } from 'node:http'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import {
  answerJson,
  aTool,
  type Received,
  refusal,
  resultFor,
  startWebMcpServer,
} from '#tests/web-mcp-server.ts'
import { createOutbound } from '../../outbound/outbound.ts'
import { createMcp } from '../mcp.ts'

const outbound = createOutbound()
const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})
afterAll(() => outbound.close())

async function reach(script: Parameters<typeof startWebMcpServer>[0]) {
  const web = await startWebMcpServer(script)
  const mcp = createMcp(outbound, [web.url])
  closing.push(mcp.close, web.close)
  const address = { kind: 'http' as const, url: web.url, headers: {}, account: null }
  return { mcp, server: { id: 'one', name: 'Odd', address } }
}

/** Returns the end of a call whose answer is written by `write`. */
async function callOf(write: (response: ServerResponse, received: Received) => void, hasSessions = false) {
  const { mcp, server } = await reach({
    hasSessions,
    answer: (received, response) => {
      if (received.method !== 'tools/call') return false
      write(response, received)
      return true
    },
  })
  return mcp.call(server, { tool: 'work', input: {} }).next()
}
const said = (text: string) => ({ content: [{ type: 'text', text }] })
const over = (result: object) => ({ kind: 'over', result: { isError: false, ...result } })
const answerAs =
  (type: string, body: (message: string) => string) => (response: ServerResponse, one: Received) =>
    void response
      .writeHead(200, { 'content-type': type })
      .end(body(JSON.stringify(resultFor(one, said('Done.')))))

describe('an answer to a call', () => {
  it.each<[string, string, (message: string) => string]>([
    ['without the blank line at its end', 'text/event-stream', (message) => `data: ${message}\n`],
    ['without any line break', 'text/event-stream', (message) => `data: ${message}`],
    ['with a name of its event', 'text/event-stream', (message) => `event: response\ndata: ${message}\n\n`],
    ['of JSON that is announced as events', 'text/event-stream', (message) => message],
    [
      'of events that are announced as JSON',
      'application/json',
      (message) => `event: message\ndata: ${message}\n\n`,
    ],
    [
      'of events with pings and an end that are announced as JSON',
      'application/json',
      (message) => `: ping\n\nevent: ping\ndata:\n\ndata: ${message}\n\ndata: [DONE]\n\n`,
    ],
    [
      'of an event in several lines that is announced as JSON',
      'application/json',
      (message) => `data: {\ndata: ${message.slice(1)}\n\n`,
    ],
    ['with an error that is null', 'application/json', (message) => message.replace('{', '{"error":null,')],
  ])('is read %s', async (_, type, body) => {
    expect(await callOf(answerAs(type, body))).toEqual(over(said('Done.')))
  })

  it.each<[string, unknown, object]>([
    ['content alone', said('Done.').content, said('Done.')],
    ['a text alone', 'Done.', said('Done.')],
    ['the name of the first revision', { toolResult: 'Done.' }, said('Done.')],
    [
      'a list as structured data',
      { content: [], structuredContent: [1] },
      { content: [], structuredContent: { result: [1] } },
    ],
    ['a text as its error flag', { ...said('No.'), isError: 'true' }, { ...said('No.'), isError: true }],
  ])('is read with %s', async (_, result, read) => {
    expect(await callOf((response, one) => answerJson(response, resultFor(one, result)))).toEqual(over(read))
  })

  it('is asked for again in a new session after the status 410', async () => {
    let calls = 0
    const answered = await callOf((response, one) => {
      calls += 1
      if (calls === 1) response.writeHead(410).end('Gone')
      else answerJson(response, resultFor(one, said('Done.')))
    }, true)
    expect(answered).toEqual(over(said('Done.')))
  })
})

describe('a list of tools', () => {
  const namesOf = async (script: Parameters<typeof startWebMcpServer>[0]) => {
    const { mcp, server } = await reach(script)
    const { tools, left } = await mcp.list(server)
    return [tools.map(({ name }) => name), left]
  }
  /** Lists two tools on two pages; `second` answers the second. */
  const onPages = (next: unknown, second: (received: Received) => object) =>
    namesOf({
      answer: (received, response) => {
        if (received.method !== 'tools/list') return false
        const isFirst = received.params?.cursor === undefined
        const first = () => resultFor(received, { tools: [aTool('a')], nextCursor: next })
        answerJson(response, isFirst ? first() : second(received))
        return true
      },
    })

  it('is read from a server that announces nothing', async () => {
    expect(await namesOf({ initialized: { capabilities: {} } })).toEqual([['work'], 0])
  })

  it('is read from a server that announces other lists without having them', async () => {
    const capabilities = { tools: {}, prompts: {}, resources: {} }
    expect(await namesOf({ initialized: { capabilities } })).toEqual([['work'], 0])
  })

  it('is read on when the next page is a number', async () => {
    expect(await onPages(2, (one) => resultFor(one, { tools: [aTool('b')] }))).toEqual([['a', 'b'], 0])
  })

  it('has its first pages when a later one is refused', async () => {
    expect(await onPages('x', (one) => refusal(one, -32_602, 'Invalid cursor'))).toEqual([['a'], 1])
  })
})
