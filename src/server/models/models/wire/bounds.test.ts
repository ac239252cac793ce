import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { anthropicMessages } from '../../providers/anthropic/anthropic-messages.ts'
import { streamCohere } from '../../providers/cohere/stream-cohere.ts'
import { openaiChat } from '../../providers/compatible/openai-chat.ts'
import { googleGenerate } from '../../providers/google/google-generate.ts'
import { openaiResponses } from '../../providers/openai/openai-responses.ts'
import { embed } from '../embeddings/embed.ts'
import { listModels } from '../listing/list-models.ts'
import { type ModelCall, ModelError, type ModelPart } from '../port.ts'
import type { Dialect } from './dialect.ts'
import { openGate } from './gate.ts'
import { streamOverWire } from './stream.ts'

const patience = { firstMs: 10_000, quietMs: 10_000, idleMs: 10_000, attempts: 3, backoffMs: 1 }
const limits = { characters: 20_000, argumentCharacters: 5_000, calls: 8, wholeMs: 10_000 }
const call: ModelCall = {
  model: 'scripted',
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
  tools: [],
  tool_choice: 'auto',
}

let server: Server | null = null
afterEach(async () => {
  server?.closeAllConnections()
  await new Promise((resolve) => (server ? server.close(resolve) : resolve(null)))
  server = null
})

/** Starts a provider whose answer never ends: it writes the next piece until the connection closes. */
async function endless(next: (n: number) => string, first = '', status = 200): Promise<string> {
  const write = async (response: ServerResponse) => {
    response.writeHead(status, { 'content-type': 'text/event-stream' })
    response.write(first)
    for (let n = 0; !response.destroyed; n++) {
      const text = next(n)
      if (!response.write(text))
        await new Promise((resolve) => response.once('drain', resolve).once('close', resolve))
      if (n % 100 === 99) await new Promise((resolve) => setImmediate(resolve))
    }
  }
  const made = createServer((request, response) => {
    request.resume().on('end', () => void write(response))
  })
  server = made
  await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(made.address() as AddressInfo).port}`
}

const data = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`
const chat = (delta: object) => data({ choices: [{ index: 0, delta }] })
const word = 'abcdefghij'.repeat(10)

async function collect(ask: (give: (part: ModelPart) => void) => Promise<void>) {
  const parts: ModelPart[] = []
  const error = await ask((part) => parts.push(part)).then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof ModelError)) throw error ?? new Error('it came to an end')
  const lengthOf = (type: 'text' | 'reasoning') =>
    parts.reduce((sum, part) => sum + (part.type === type ? part.text.length : 0), 0)
  return { error, parts, text: lengthOf('text'), thoughts: lengthOf('reasoning') }
}

const over = (dialect: Dialect, base_url: string, own = limits) =>
  collect((give) =>
    streamOverWire(
      dialect,
      { provider: 'test', base_url, api_key: 'key' },
      patience,
      own,
    )(call, new AbortController().signal, give),
  )

const block = (index: number, delta: object) => data({ type: 'content_block_delta', index, delta })
const texts: [string, Dialect, string, (n: number) => string][] = [
  ['chat completions', openaiChat, '', () => chat({ content: word })],
  ['responses', openaiResponses, '', () => data({ type: 'response.output_text.delta', delta: word })],
  ['messages', anthropicMessages, '', () => block(0, { type: 'text_delta', text: word })],
  ['generate', googleGenerate, '', () => data({ candidates: [{ content: { parts: [{ text: word }] } }] })],
]
const kept: [string, Dialect, string, (n: number) => string, RegExp][] = [
  ['thoughts', openaiChat, '', () => chat({ reasoning_content: word }), /longer than 20 kB/],
  [
    'details of thoughts',
    openaiChat,
    '',
    () => chat({ reasoning_details: [{ type: 'reasoning.encrypted', index: 0, data: word }] }),
    /longer than 20 kB/,
  ],
  [
    'arguments of a call',
    openaiChat,
    chat({ tool_calls: [{ index: 0, id: 'a', function: { name: 'probe', arguments: '' } }] }),
    () => chat({ tool_calls: [{ index: 0, function: { arguments: word } }] }),
    /more than 5 kB of arguments/,
  ],
  [
    'calls',
    openaiChat,
    '',
    (n) => chat({ tool_calls: [{ index: n, id: `c${n}`, function: { name: 'probe', arguments: '{}' } }] }),
    /more than 8 calls/,
  ],
  [
    'calls of messages',
    anthropicMessages,
    '',
    (n) =>
      data({
        type: 'content_block_start',
        index: n,
        content_block: { type: 'tool_use', id: `c${n}`, name: 'p' },
      }),
    /more than 8 calls/,
  ],
  [
    'arguments of messages',
    anthropicMessages,
    data({ type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: 'c', name: 'p' } }),
    () => block(0, { type: 'input_json_delta', partial_json: word }),
    /more than 5 kB of arguments/,
  ],
  [
    'signatures',
    anthropicMessages,
    data({ type: 'content_block_start', index: 0, content_block: { type: 'thinking' } }),
    () => block(0, { type: 'signature_delta', signature: word }),
    /longer than 20 kB/,
  ],
  [
    'calls of responses',
    openaiResponses,
    '',
    (n) =>
      data({
        type: 'response.output_item.done',
        item: { type: 'function_call', call_id: `c${n}`, name: 'p', arguments: '{}' },
      }),
    /more than 8 calls/,
  ],
  [
    'arguments in pieces',
    googleGenerate,
    data({ candidates: [{ content: { parts: [{ functionCall: { name: 'p' } }] } }] }),
    () =>
      data({
        candidates: [
          {
            content: { parts: [{ functionCall: { partialArgs: [{ jsonPath: '$.a', stringValue: word }] } }] },
          },
        ],
      }),
    /more than 5 kB of arguments/,
  ],
  [
    'sources',
    googleGenerate,
    '',
    (n) =>
      data({
        candidates: [
          { groundingMetadata: { groundingChunks: [{ web: { uri: `https://a.test/${word}${n}` } }] } },
        ],
      }),
    /longer than 20 kB/,
  ],
]

describe('the limits of an answer', () => {
  it.each(texts)('cut endless text by %s and keep it up to the limit', async (_, dialect, first, next) => {
    const { error, text } = await over(dialect, await endless(next, first))
    expect(error.message).toBe('The answer of the model was longer than 20 kB and was cut.')
    expect(text).toBe(limits.characters)
  })

  it.each(kept)('cut endless %s without emitting calls or a finish', async (_, dialect, first, next, why) => {
    const { error, parts } = await over(dialect, await endless(next, first))
    expect(error.message).toMatch(why)
    expect(parts.some(({ type }) => type === 'tool-call' || type === 'finish')).toBe(false)
  })

  it('cut endless text from the adapter of other providers', async () => {
    const next = () =>
      data({ type: 'content-delta', index: 0, delta: { message: { content: { text: word } } } })
    const base_url = await endless(next, data({ type: 'message-start', id: '1' }))
    const endpoint = { provider: 'test', base_url, api_key: 'key' }
    const stream = await streamCohere(endpoint, patience, limits, openGate(endpoint))
    const { error, text } = await collect((give) => stream(call, new AbortController().signal, give))
    expect(error.message).toMatch(/longer than 20 kB/)
    expect(text).toBe(limits.characters)
  })

  it('end an answer of keep-alive comments after the time limit', async () => {
    const url = await endless(() => ': still there\n\n')
    const { error } = await over(openaiChat, url, { ...limits, wholeMs: 500 })
    expect(error.message).toMatch(/^The answer of the model took longer than 1 min and was cut/)
  })

  it.each([
    ['a line', () => `data: ${word}`.replace(/data: /, ''), 'data: '],
    ['a document', () => word, '{"a":"'],
  ])('reject an endless answer in one piece: %s', async (_, next, first) => {
    const { error } = await over(openaiChat, await endless(next, first))
    expect(error.kind).toBe('invalid_answer')
  })

  it('read a refusal only as far as it is shown', async () => {
    const { error } = await over(openaiChat, await endless(() => 'Too bad. ', '', 400))
    expect(error.message).toMatch(/^The model provider refused the request: Too bad\./)
    expect(error.message.length).toBeLessThan(600)
  })

  it('reject an endless list of models or vectors', async () => {
    const base_url = await endless(() => word, '{"data":["')
    const endpoint = { provider: 'test', base_url, api_key: null, kind: 'compatible' as const }
    const listed = await collect(async () => void (await listModels('compatible', endpoint)))
    expect(listed.error.message).toMatch(/too long/)
    const signal = new AbortController().signal
    const embedded = await collect(async () => void (await embed(endpoint, 'm', ['a'], signal)))
    expect(embedded.error.message).toMatch(/too long/)
  })

  it('end a list of models with endless pages', async () => {
    let asked = 0
    const made = createServer((_, response) => {
      asked += 1
      response.end(JSON.stringify({ data: [], has_more: true, last_id: String(asked) }))
    })
    server = made
    await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve))
    const base_url = `http://127.0.0.1:${(made.address() as AddressInfo).port}`
    expect(await listModels('anthropic', { provider: 'test', base_url, api_key: 'k' })).toEqual([])
    expect(asked).toBeLessThan(50)
  })
})
