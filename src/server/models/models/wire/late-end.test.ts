import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { anthropicMessages } from '../../providers/anthropic/anthropic-messages.ts'
import { openaiChat } from '../../providers/compatible/openai-chat.ts'
import { openaiResponses } from '../../providers/openai/openai-responses.ts'
import type { ModelCall, ModelPart } from '../port.ts'
import type { Dialect } from './dialect.ts'
import { streamOverWire } from './stream.ts'

const patience = { firstMs: 20_000, quietMs: 20_000, idleMs: 20_000, attempts: 1, backoffMs: 5 }
const call: ModelCall = {
  model: 'm',
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
  tools: [],
  tool_choice: 'auto',
}

let server: Server
let heads: IncomingHttpHeaders[] = []
afterEach(
  () =>
    new Promise((resolve) => {
      server.close(resolve)
      server.closeAllConnections()
    }),
)

/** Sends events and leaves the response open. */
async function askOpenEnded(dialect: Dialect, events: unknown[]): Promise<ModelPart[]> {
  heads = []
  server = createServer((request, response) => {
    heads.push(request.headers)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const event of events)
      response.write(`data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  const stream = streamOverWire(dialect, { provider: 'x', base_url, api_key: null }, patience)
  const parts: ModelPart[] = []
  await stream(call, new AbortController().signal, (part) => void parts.push(part))
  return parts
}
const chunk = (delta: object, finish_reason: string | null = null) => ({
  choices: [{ delta, finish_reason }],
})

describe('a server that leaves the response open after its answer', () => {
  const cases: [string, Dialect, unknown[]][] = [
    ['chat completions', openaiChat, [chunk({ content: 'Hi' }), chunk({}, 'stop'), '[DONE]']],
    [
      'responses',
      openaiResponses,
      [
        { type: 'response.output_text.delta', delta: 'Hi' },
        { type: 'response.completed', response: { usage: { input_tokens: 1, output_tokens: 1 } } },
      ],
    ],
    [
      'messages',
      anthropicMessages,
      [
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'Hi' } },
        { type: 'content_block_stop', index: 0 },
        { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
        { type: 'message_stop' },
      ],
    ],
  ]
  it.each(cases)('does not delay the answer: %s', { timeout: 10_000 }, async (_, dialect, events) => {
    const parts = await askOpenEnded(dialect, events)
    expect(parts.find(({ type }) => type === 'text')).toEqual({ type: 'text', text: 'Hi' })
    expect(parts.at(-1)).toEqual({ type: 'finish', reason: 'stop' })
    expect(heads[0]?.['accept-encoding']).toBe('identity')
  })
})

describe('the name of a called tool', () => {
  const fragment = (name: string, more: object = {}) =>
    chunk({ tool_calls: [{ index: 0, function: { name, arguments: '' }, ...more }] })
  const args = chunk({ tool_calls: [{ index: 0, function: { arguments: '{}' } }] })
  it.each([
    ['in pieces', [fragment('calcu', { id: 'a' }), fragment('lator'), args]],
    ['with every fragment', [fragment('calculator', { id: 'a' }), fragment('calculator', { id: 'a' }), args]],
  ])('is read %s', async (_, events) => {
    const parts = await askOpenEnded(openaiChat, [...events, chunk({}, 'tool_calls'), '[DONE]'])
    expect(parts.filter(({ type }) => type === 'tool-call')).toEqual([
      { type: 'tool-call', id: 'a', name: 'calculator', input: '{}' },
    ])
  })
})
