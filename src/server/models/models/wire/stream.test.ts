import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import {
  calls,
  cuts,
  fails,
  garbage,
  hangs,
  type ModelServer,
  says,
  startModelServer,
  thinks,
} from '#tests/model-server.ts'
import { anthropicMessages } from '../../providers/anthropic/anthropic-messages.ts'
import { openaiChat } from '../../providers/compatible/openai-chat.ts'
import { googleGenerate } from '../../providers/google/google-generate.ts'
import { openaiResponses } from '../../providers/openai/openai-responses.ts'
import { type ModelCall, ModelError, type ModelPart } from '../port.ts'
import type { Dialect } from './dialect.ts'
import { defaultPatience, patienceFor } from './patience.ts'
import { streamOverWire } from './stream.ts'

const patience = { firstMs: 400, quietMs: 400, idleMs: 400, attempts: 3, backoffMs: 10 }
const call: ModelCall = {
  model: 'scripted',
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
  tools: [],
  tool_choice: 'auto',
}

type Outcome = { parts: ModelPart[]; text: string; error: ModelError | null }

async function collect(
  dialect: Dialect,
  base_url: string,
  signal = new AbortController().signal,
): Promise<Outcome> {
  const parts: ModelPart[] = []
  const text = () => parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')
  try {
    const stream = streamOverWire(dialect, { provider: 'test', base_url, api_key: 'key' }, patience)
    await stream(call, signal, (part) => parts.push(part))
  } catch (error) {
    if (!(error instanceof ModelError)) throw error
    return { parts, text: text(), error }
  }
  return { parts, text: text(), error: null }
}

describe('streamOverWire', () => {
  let model: ModelServer
  const ask = async (...script: Parameters<ModelServer['reply']>) => {
    model = await startModelServer()
    model.reply(...script)
    return collect(openaiChat, model.url)
  }
  afterEach(() => model.close())

  it('emits thoughts, text, complete tool calls, usage and a finish in this order', async () => {
    const { parts } = await ask([
      thinks('Hm'),
      says('Let me ', 'see.'),
      calls('calculator', { a: 1 }),
      calls('calculator', { a: 2 }),
    ])
    expect(parts.map((part) => part.type)).toEqual([
      'reasoning',
      'text',
      'text',
      'tool-call',
      'tool-call',
      'usage',
      'finish',
    ])
    expect(parts[3]).toMatchObject({ name: 'calculator', input: '{"a":1}' })
    expect(parts.at(-1)).toEqual({ type: 'finish', reason: 'tool-calls' })
  })

  it('retries while nothing was emitted, after the delay that the server states', async () => {
    const started = performance.now()
    const { text } = await ask([fails(429, 'slow down', 1)], [says('Now.')])
    expect(text).toBe('Now.')
    expect(performance.now() - started).toBeGreaterThan(950)
    expect(model.requests).toHaveLength(2)
  })

  it('gives up after three attempts with one sentence and the status', async () => {
    const { error } = await ask([fails(500)], [fails(500)], [fails(500, 'disk on fire')])
    expect(error).toMatchObject({
      kind: 'overloaded',
      status: 500,
      message: 'The model provider has a problem: disk on fire',
    })
  })

  it('does not retry a refused key', async () => {
    const { error } = await ask([fails(401, 'Incorrect API key')])
    expect(error).toMatchObject({
      kind: 'unauthorized',
      message: 'The model provider refused the key: Incorrect API key',
    })
    expect(model.requests).toHaveLength(1)
  })

  it('waits for a server that is loading its model and notifies the caller [MO-06]', async () => {
    const loading = fails(503, 'Loading model')
    model = await startModelServer()
    // More often than the attempts of a failed call.
    model.reply([loading], [loading], [loading], [loading], [says('Loaded.')])
    const parts: ModelPart[] = []
    const endpoint = { provider: 'test', base_url: model.url, api_key: null }
    const stream = streamOverWire(openaiChat, endpoint, { ...patience, firstMs: 20_000 })
    await stream(call, new AbortController().signal, (part) => parts.push(part))
    expect(model.requests).toHaveLength(5)
    expect(parts.slice(0, 3)).toEqual([
      { type: 'waiting', limit: { of: 'model' } },
      { type: 'waiting', limit: null },
      { type: 'text', text: 'Loaded.' },
    ])
  })

  it('never repeats a request to a silent local server and notifies the caller', async () => {
    model = await startModelServer()
    model.reply([hangs()], [says('never asked')])
    const parts: ModelPart[] = []
    const local = { ...patience, ...{ silentAttempts: 1, tellMs: 150 } }
    const stream = streamOverWire(
      openaiChat,
      { provider: 'test', base_url: model.url, api_key: null },
      patienceFor(local, null),
    )
    const asked = stream(call, new AbortController().signal, (part) => parts.push(part))
    await expect(asked).rejects.toMatchObject({ kind: 'timeout' })
    expect(model.requests).toHaveLength(1)
    expect(parts).toEqual([
      { type: 'waiting', limit: { of: 'model' } },
      { type: 'waiting', limit: null },
    ])
    expect(patienceFor(defaultPatience, 1_800)).toMatchObject({ firstMs: 1_800_000, silentAttempts: 1 })
  })

  it('keeps the text of an answer that is cut off and does not retry', async () => {
    const { text, error } = await ask([says('half an '), cuts()], [says('never asked')])
    expect(text).toBe('half an ')
    expect(error?.kind).toBe('interrupted')
    expect(model.requests).toHaveLength(1)
  })

  it('times out an answer that hangs', async () => {
    const { text, error } = await ask([says('one'), hangs()])
    expect(text).toBe('one')
    expect(error?.kind).toBe('timeout')
  })

  it('rejects garbage as an invalid answer', async () => {
    expect((await ask([garbage()])).error?.kind).toBe('invalid_answer')
  })

  it('ends immediately when it is aborted', async () => {
    model = await startModelServer()
    model.reply([says('one'), hangs()])
    const controller = new AbortController()
    setTimeout(() => controller.abort(new Error('stopped')), 50)
    await expect(collect(openaiChat, model.url, controller.signal)).rejects.toThrow()
  })
})

const recordings: {
  name: string
  dialect: Dialect
  events: string[]
  expected: Partial<Outcome> & { calls?: string[]; thoughts?: string }
}[] = [
  {
    name: 'OpenAI chat, content as a list and fragments without an index',
    dialect: openaiChat,
    events: [
      '{"choices":[{"delta":{"content":[{"type":"thinking","thinking":[{"text":"Soit"}]}]}}]}',
      '{"choices":[{"delta":{"content":[{"type":"text","text":"Voilà €"}]}}]}',
      '{"choices":[{"delta":{"tool_calls":[{"id":"a","function":{"name":"f","arguments":"{\\"x\\""}}]}}]}',
      '{"choices":[{"delta":{"tool_calls":[{"function":{"arguments":":1}"}}]},"finish_reason":"tool_calls"}]}',
      '{"choices":[],"usage":{"prompt_tokens":5,"completion_tokens":7,"prompt_tokens_details":{"cached_tokens":2}}}',
      '[DONE]',
    ],
    expected: { text: 'Voilà €', calls: ['f {"x":1}'], thoughts: 'Soit' },
  },
  {
    name: 'OpenAI responses',
    dialect: openaiResponses,
    events: [
      '{"type":"response.output_text.delta","delta":"Bon"}',
      '{"type":"response.output_text.delta","delta":"jour €"}',
      '{"type":"response.output_item.done","item":{"type":"function_call","call_id":"c","name":"f","arguments":"{\\"x\\":1}"}}',
      '{"type":"response.completed","response":{"usage":{"input_tokens":5,"output_tokens":7,"input_tokens_details":{"cached_tokens":2}}}}',
    ],
    expected: { text: 'Bonjour €', calls: ['f {"x":1}'] },
  },
  {
    name: 'Anthropic messages',
    dialect: anthropicMessages,
    events: [
      '{"type":"message_start","message":{"usage":{"input_tokens":3,"cache_read_input_tokens":2,"output_tokens":1}}}',
      '{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":""}}',
      '{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"Soit"}}',
      '{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"s"}}',
      '{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"Voilà €"}}',
      '{"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"c","name":"f","input":{}}}',
      '{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"{\\"x\\":"}}',
      '{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"1}"}}',
      '{"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":7}}',
      '{"type":"message_stop"}',
    ],
    expected: { text: 'Voilà €', calls: ['f {"x":1}'], thoughts: 'Soit' },
  },
  {
    name: 'Google generate',
    dialect: googleGenerate,
    events: [
      '{"candidates":[{"content":{"parts":[{"text":"Soit","thought":true},{"text":"Voilà "}]}}]}',
      '{"candidates":[{"content":{"parts":[{"text":"€"},{"functionCall":{"name":"f","args":{"x":1}},"thoughtSignature":"s"}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":5,"candidatesTokenCount":7,"cachedContentTokenCount":2}}',
    ],
    expected: { text: 'Voilà €', calls: ['f {"x":1}'], thoughts: 'Soit' },
  },
]

describe('the dialects', () => {
  let server: Server
  afterEach(() => new Promise((resolve) => server.close(resolve)))

  const play = async (dialect: Dialect, body: string, chunk: number) => {
    server = createServer(async (request, response) => {
      request.resume()
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const bytes = Buffer.from(body)
      for (let at = 0; at < bytes.length; at += chunk) {
        response.write(bytes.subarray(at, at + chunk))
        await new Promise(setImmediate)
      }
      response.end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return collect(dialect, `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  }
  const bodyOf = (events: string[], end = '\n') => events.map((data) => `data: ${data}${end}${end}`).join('')

  describe.each(recordings)('$name', ({ dialect, events, expected }) => {
    const variants: [string, string, number][] = [
      ['as one packet', bodyOf(events), 100_000],
      ['three bytes at a time', bodyOf(events), 3],
      ['with CRLF, a byte order mark and comments', `\uFEFF: hello\r\n\r\n${bodyOf(events, '\r\n')}`, 50],
      ['without the last blank line', bodyOf(events).trimEnd(), 100_000],
    ]
    it.each(variants)('reads an answer %s', async (_, body, chunk) => {
      const { parts, text, error } = await play(dialect, body, chunk)
      expect(error).toBeNull()
      expect(text).toBe(expected.text)
      expect(
        parts.flatMap((part) => (part.type === 'tool-call' ? [`${part.name} ${part.input}`] : [])),
      ).toEqual(expected.calls)
      expect(parts.flatMap((part) => (part.type === 'reasoning' ? [part.text] : [])).join('')).toBe(
        expected.thoughts ?? '',
      )
      expect(parts.find((part) => part.type === 'usage')).toMatchObject({
        input_tokens: 5,
        output_tokens: 7,
        cached_tokens: 2,
      })
      expect(parts.at(-1)).toEqual({ type: 'finish', reason: 'tool-calls' })
    })

    it('throws an error but keeps the text when an answer ends inside of an event', async () => {
      const { text, error, parts } = await play(
        dialect,
        `${bodyOf(
          events
            .slice(0, 1)
            .concat(events.slice(1, -1).filter((event) => !/finish|stop_reason|completed/.test(event))),
        )}data: {"ty`,
        100_000,
      )
      expect(error?.kind).toBe('interrupted')
      expect(expected.text?.startsWith(text)).toBe(true)
      expect(parts.some((part) => part.type === 'tool-call')).toBe(false)
    })
  })
})
