import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  answerJson,
  type Received,
  refusal,
  resultFor,
  startWebMcpServer,
  type WebMcpServer,
} from '#tests/web-mcp-server.ts'
import { createOutbound } from '../outbound/outbound.ts'
import { createMcp, type Mcp, type McpServer } from './mcp.ts'

type Answer = (one: Received, response: ServerResponse) => void
const status =
  (code: number, type: string, body: string): Answer =>
  (_, response) =>
    void response.writeHead(code, { 'content-type': type }).end(body)
const json =
  (body: (one: Received) => unknown): Answer =>
  (one, response) =>
    answerJson(response, body(one))

const issues = JSON.stringify([{ code: 'invalid_type', path: ['n'], message: 'expected number' }], null, 2)
const answers: Record<string, [answer: Answer, sentence: string]> = {
  'the words of JSON-RPC': [
    json((one) => refusal(one, -32_603, 'The order is locked.')),
    'The order is locked.',
  ],
  'words with the prefix of an SDK': [
    json((one) => refusal(one, -32_602, `MCP error -32602: Invalid arguments for work: ${issues}`)),
    'Invalid arguments for work: n: expected number',
  ],
  'no words': [json((one) => refusal(one, -32_603, '')), 'an error without words (-32603).'],
  'an error that is only a text': [
    json(({ id }) => ({ jsonrpc: '2.0', id, error: 'The index is rebuilt.' })),
    'The index is rebuilt.',
  ],
  'JSON-RPC with a status': [
    (one, response) => answerJson(response, refusal(one, -32_000, 'Quota of March used up.'), 400),
    'Quota of March used up. (400)',
  ],
  'the JSON of a gateway': [
    status(429, 'application/json', '{"error":{"message":"Too many calls. Wait 20 s."}}'),
    'Too many calls. Wait 20 s. (429)',
  ],
  'a problem detail': [
    status(422, 'application/problem+json', '{"title":"Bad","detail":"No such site."}'),
    'No such site. (422)',
  ],
  'a plain text': [status(500, 'text/plain', 'Database is read-only\n'), 'Database is read-only (500)'],
  'a page': [status(502, 'text/html', '<html><h1>Bad gateway</h1></html>'), 'status 502, without words.'],
}

let server: WebMcpServer
let mcp: Mcp
const outbound = createOutbound()
beforeAll(async () => {
  server = await startWebMcpServer({
    answer: (one, response) => {
      if (one.method !== 'tools/call') return false
      const own = answers[one.params.name]
      if (own) own[0](one, response)
      return own !== undefined
    },
    result: ({ params }) => odd[params.name],
  })
  mcp = createMcp(outbound, [server.url])
})
afterAll(async () => {
  await mcp.close()
  await outbound.close()
  await server.close()
})

const odd: Record<string, unknown> = {
  'a list of content that is a number': { content: 7 },
  'a text as content': { content: 'Seven boxes.' },
  'one part as content': { content: { type: 'text', text: 'Seven boxes.' } },
  'a number as text': { content: [{ type: 'text', text: 7 }] },
  'null for what it has not': { content: [{ type: 'text', text: 'x' }], isError: null, _meta: null },
}
const at = (): McpServer => ({
  ...{ id: 'one', name: 'Orders' },
  address: { kind: 'http', url: server.url, headers: {}, account: null },
})
const call = (tool: string) => mcp.call(at(), { tool, input: {} }).next()

describe('failed call', () => {
  it.each(Object.entries(answers))('is told in %s', async (tool, [, sentence]) => {
    expect(await call(tool)).toMatchObject({
      ...{ kind: 'failed', error: { detail: `Orders answered: ${sentence}` } },
    })
  })

  it('is explained in one sentence if the answer is not a result', async () => {
    expect(await call('a list of content that is a number')).toMatchObject({
      error: { detail: 'Orders answered with something that is not valid MCP.' },
    })
  })
})

describe('slightly malformed result', () => {
  it.each([
    ['a text as content', 'Seven boxes.'],
    ['one part as content', 'Seven boxes.'],
    ['a number as text', '7'],
    ['null for what it has not', 'x'],
  ])('is accepted: %s', async (tool, text) => {
    expect(await call(tool)).toMatchObject({
      ...{ kind: 'over', result: { content: [{ type: 'text', text }], isError: false } },
    })
  })
})

it('reads a server error without a JSON-RPC version', async () => {
  const bare = await startWebMcpServer({
    answer: (one, response) => {
      if (one.method !== 'tools/call') return false
      answerJson(response, { ...resultFor(one, { content: [] }), jsonrpc: undefined })
      return true
    },
  })
  const own = createMcp(outbound, [bare.url])
  const address = { kind: 'http' as const, url: bare.url, headers: {}, account: null }
  const happened = await own.call({ id: 'bare', name: 'Bare', address }, { tool: 'work', input: {} }).next()
  expect(happened).toMatchObject({ kind: 'over', result: { content: [] } })
  await own.close()
  await bare.close()
})
