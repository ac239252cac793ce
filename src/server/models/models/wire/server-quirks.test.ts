import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { anthropicMessages } from '../../providers/anthropic/anthropic-messages.ts'
import { openaiChat } from '../../providers/compatible/openai-chat.ts'
import { openaiResponses } from '../../providers/openai/openai-responses.ts'
import type { ModelCall, ModelError } from '../port.ts'
import type { Dialect } from './dialect.ts'
import { failureOf, isPassing, isSpent, waitWanted } from './failures.ts'
import { streamOverWire } from './stream.ts'

const patience = { firstMs: 2_000, quietMs: 2_000, idleMs: 2_000, attempts: 3, backoffMs: 5 }
const call: ModelCall = {
  model: 'm',
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
  tools: [],
  tool_choice: 'auto',
}
const answer =
  'data: {"choices":[{"delta":{"content":"Hi"}}]}\n\ndata: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\n'

let server: Server
afterEach(
  () =>
    new Promise((resolve) => {
      server.close(resolve)
      server.closeAllConnections()
    }),
)

type Seen = { path: string; body: Record<string, unknown> }
type Reply = { status?: number; body: string }
async function serve(answerTo: (seen: Seen, count: number) => Reply | Promise<Reply>) {
  const seen: Seen[] = []
  const listener: RequestListener = async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const one = { path: request.url ?? '', body: JSON.parse(text) }
    seen.push(one)
    const { status = 200, body } = await answerTo(one, seen.length)
    response.writeHead(status, { 'content-type': 'application/json' }).end(body)
  }
  server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  const ask = async (dialect: Dialect = openaiChat, given: Partial<ModelCall> = {}) => {
    const stream = streamOverWire(dialect, { provider: 'x', base_url, api_key: null }, patience)
    let said = ''
    try {
      await stream({ ...call, ...given }, new AbortController().signal, (part) => {
        if (part.type === 'text') said += part.text
      })
      return said
    } catch (error) {
      return (error as ModelError).kind
    }
  }
  return { seen, ask }
}

const refuses = (message: string) => ({ status: 400, body: JSON.stringify({ error: { message } }) })

describe('servers that refuse a part of the request', () => {
  it('are asked again without it, and later only without it', async () => {
    const { seen, ask } = await serve(({ body }) =>
      body.stream_options ? refuses('unknown field stream_options') : { body: answer },
    )
    expect([await ask(), await ask()]).toEqual(['Hi', 'Hi'])
    expect(seen).toHaveLength(3)
  })

  it.each([
    'The parameter is invalid.',
    'Invalid request',
    'Bad Request',
    '400: one or more arguments are not valid, please check the request body',
    'API \u8c03\u7528\u53c2\u6570\u6709\u8bef\uff0c\u8bf7\u68c0\u67e5\u6587\u6863\u3002',
  ])('are asked once without optional parameters when they say only “%s”', async (message) => {
    const { seen, ask } = await serve(({ body }) =>
      body.stream_options || body.temperature !== undefined ? refuses(message) : { body: answer },
    )
    const temperature = 0.4
    expect([await ask(openaiChat, { temperature }), await ask(openaiChat, { temperature })]).toEqual([
      'Hi',
      'Hi',
    ])
    expect(seen).toHaveLength(3)
    expect(seen.at(-1)?.body).not.toHaveProperty('stream_options')
  })

  it('get the output limit under its other name when they write names without underscores', async () => {
    const message = 'this model is not supported MaxTokens, please use MaxCompletionTokens'
    const { seen, ask } = await serve(({ body }) => (body.max_tokens ? refuses(message) : { body: answer }))
    expect(await ask(openaiChat, { max_output_tokens: 100 })).toBe('Hi')
    expect(seen[1]?.body.max_completion_tokens).toBe(100)
  })

  it.each([
    ['The parameter is invalid.', 2],
    ['The messages are invalid for this tenant.', 1],
  ])('keep everything when “%s” is said without them too', async (message, calls) => {
    const { seen, ask } = await serve((_, count) => (count > calls ? { body: answer } : refuses(message)))
    expect(await ask()).toBe('bad_request')
    expect(seen).toHaveLength(calls)
    expect(await ask()).toBe('Hi')
    expect(seen.at(-1)?.body).toHaveProperty('stream_options')
  })

  it.each([
    'The provided JSON schema contains features not supported by xgrammar.',
    'Failed to convert the grammar from GBNF to Lark: unsupported feature',
  ])('are asked for JSON in words when they say “%s”', async (message) => {
    const { seen, ask } = await serve(({ body }) =>
      JSON.stringify(body).includes('json_schema') ? refuses(message) : { body: answer },
    )
    const output = { name: 'plan', schema: { type: 'object', properties: { steps: { type: 'array' } } } }
    expect(await ask(openaiChat, { output })).toBe('Hi')
    expect(seen[1]?.body.response_format).toEqual({ type: 'json_object' })
    expect(JSON.stringify(seen[1]?.body.messages)).toContain('steps')
  })

  it('get an Anthropic request without cache marks', async () => {
    const { seen, ask } = await serve(({ body }) =>
      JSON.stringify(body).includes('cache_control')
        ? refuses('system.0.cache_control: Extra inputs are not permitted')
        : { body: '{"type":"message","content":[{"type":"text","text":"Hi"}],"stop_reason":"end_turn"}' },
    )
    const messages: ModelCall['messages'] = [{ role: 'system', content: 'Be brief.' }, ...call.messages]
    const tools = [{ name: 'a', description: '', input_schema: {} }]
    expect(await ask(anthropicMessages, { messages, tools })).toBe('Hi')
    expect(seen[1]?.body).toMatchObject({ system: 'Be brief.', tools: [{ name: 'a' }] })
  })

  it('get only the required tool when they support no named choice', async () => {
    const { seen, ask } = await serve(({ body }) =>
      typeof body.tool_choice === 'object' ? refuses('Invalid tool_choice type: object') : { body: answer },
    )
    const tools = ['a', 'b'].map((name) => ({ name, description: '', input_schema: {} }))
    await ask(openaiChat, { tools, tool_choice: { name: 'b' } })
    expect(seen[1]?.body).toMatchObject({ tool_choice: 'required', tools: [{ function: { name: 'b' } }] })
  })

  it.each([
    ['presencePenalty: this model does not support this field', 'presence_penalty'],
    ["Model does not support the reasoning effort 'low'", 'reasoning_effort'],
    ['This model only supports the default value of top_p', 'top_p'],
  ])('are asked again without the parameter that “%s” means', async (message, name) => {
    const { seen, ask } = await serve(({ body }) => (name in body ? refuses(message) : { body: answer }))
    const sampling = { presence_penalty: 1, top_p: 0.5, effort: 'low' as const }
    expect(await ask(openaiChat, { sampling })).toBe('Hi')
    expect(seen).toHaveLength(2)
  })

  it.each<[string, Dialect, string]>([
    [
      'Your organization must be verified to stream this model.',
      openaiResponses,
      '{"object":"response","status":"completed","output":[{"type":"message","content":[{"text":"Hi"}]}]}',
    ],
    ['This model does not support streaming.', openaiChat, '{"choices":[{"message":{"content":"Hi"}}]}'],
    ['streaming is not supported with tools', openaiChat, '{"choices":[{"message":{"content":"Hi"}}]}'],
  ])('are asked for the whole answer when they say “%s”', async (message, dialect, body) => {
    const { seen, ask } = await serve((one) => (one.body.stream ? refuses(message) : { body }))
    expect([await ask(dialect), await ask(dialect)]).toEqual(['Hi', 'Hi'])
    expect(seen).toHaveLength(3)
    expect(seen.at(-1)?.body).not.toHaveProperty('stream_options')
  })

  it('may take longer to answer as a whole than to begin a stream', async () => {
    const { ask } = await serve(async ({ body }) => {
      if (body.stream) return refuses('This model does not support streaming.')
      await sleep(patience.firstMs * 1.5)
      return { body: '{"choices":[{"message":{"content":"Hi"}}]}' }
    })
    expect(await ask()).toBe('Hi')
  })

  it.each([
    "Invalid value for 'content': expected a string, got null.",
    'messages.2.content: none is not an allowed value',
    'messages[2]: missing field `content` at line 1',
  ])('get an empty text with calls when they say “%s”', async (message) => {
    const called: ModelCall['messages'] = [
      ...call.messages,
      { role: 'assistant', content: [{ type: 'tool-call', id: 'a', name: 'a', input: '{}' }] },
      { role: 'tool', content: [{ type: 'tool-result', id: 'a', name: 'a', output: '7', is_error: false }] },
    ]
    const isNull = ({ content }: { content: unknown }) => content === null
    const { seen, ask } = await serve(({ body }) =>
      (body.messages as { content: unknown }[]).some(isNull) ? refuses(message) : { body: answer },
    )
    expect(await ask(openaiChat, { messages: called })).toBe('Hi')
    expect(seen[1]?.body.messages).toMatchObject([{}, { content: '', tool_calls: [{}] }, {}])
  })

  it('are not asked again when nothing can be dropped', async () => {
    const { seen, ask } = await serve(() => refuses('no'))
    expect(await ask()).toBe('bad_request')
    expect(seen).toHaveLength(1)
  })
})

describe('servers compatible with OpenAI', () => {
  it('get chat completions when they do not support responses', async () => {
    const { seen, ask } = await serve(({ path }) =>
      path.endsWith('/responses') ? { status: 404, body: '{"detail":"Not Found"}' } : { body: answer },
    )
    expect([await ask(openaiResponses), await ask(openaiResponses)]).toEqual(['Hi', 'Hi'])
    expect(seen.map(({ path }) => path)).toEqual([
      '/v1/responses',
      '/v1/chat/completions',
      '/v1/chat/completions',
    ])
  })

  it('get chat completions for the models that they do not support responses for', async () => {
    const { seen, ask } = await serve(({ path, body }) =>
      path.endsWith('/responses') && body.model === 'old'
        ? refuses('The Responses API is not supported for this model. Use /v1/chat/completions.')
        : { body: answer },
    )
    for (const model of ['old', 'old', 'new']) expect(await ask(openaiResponses, { model })).toBe('Hi')
    expect(seen.map(({ path }) => path.split('/').at(-1))).toEqual([
      'responses',
      'completions',
      'completions',
      'responses',
    ])
  })

  it('may report an unknown model', async () => {
    const body = '{"error":{"message":"The model `x` does not exist"}}'
    const { seen, ask } = await serve(() => ({ status: 404, body }))
    expect(await ask(openaiResponses)).toBe('not_found')
    expect(seen).toHaveLength(1)
  })
})

describe('unusual answers', () => {
  it('rejects a web page', async () => {
    const { ask } = await serve(() => ({ body: '<html>Sign in</html>' }))
    expect(await ask()).toBe('invalid_answer')
  })

  it('retries an answer that was cut before its first part', async () => {
    const { seen, ask } = await serve((_, count) => ({ body: count === 1 ? '' : answer }))
    expect(await ask()).toBe('Hi')
    expect(seen).toHaveLength(2)
  })

  it('reads an answer that was not streamed', async () => {
    const { ask } = await serve(() => ({
      body: '{"choices":[{"message":{"content":"Whole"},"finish_reason":"stop"}]}',
    }))
    expect(await ask()).toBe('Whole')
  })
})

describe('the retry delay of a provider', () => {
  const wait = (headers: Record<string, string>, body = '') => failureOf(429, body, headers).retryAfterSeconds

  it('is read in seconds, as a date, in milliseconds or from the body, and limited to a minute', () => {
    server = createServer()
    expect(wait({ 'retry-after': '7' })).toBe(7)
    expect(wait({ 'retry-after': '700' })).toBe(700)
    expect(waitWanted(failureOf(429, '', { 'retry-after': '700' }))).toBe(60_000)
    expect(wait({ 'retry-after-ms': '1500' })).toBe(1.5)
    const date = new Date(Date.now() + 10_000).toUTCString()
    expect(wait({ 'retry-after': date })).toBeCloseTo(10, -1)
    expect(wait({}, '{"error":{"details":[{"retryDelay":"21s"}]}}')).toBe(21)
  })

  it.each<[string, Record<string, string>, number | undefined]>([
    ['Please try again in 7.66s.', {}, 7.66],
    ['Please retry after 9 seconds.', {}, 9],
    ['Rate limit reached, try again in 1m2.5s', {}, 62.5],
    ['try again in 20ms', {}, 0.02],
    ['try again in 2 hours', {}, 7200],
    ['try again later', {}, undefined],
    ['slow down', { 'retry-after': '2s' }, 2],
    ['slow down', { 'retry-after': '1m12s' }, 72],
    ['slow down', { 'x-ratelimit-reset-after': '4' }, 4],
    ['slow down', { 'retry-after': 'soon' }, undefined],
  ])('is read from “%s” and %j', (message, headers, seconds) => {
    server = createServer()
    const read = wait(headers, JSON.stringify({ error: { message } }))
    if (seconds === undefined) expect(read).toBeUndefined()
    else expect(read).toBeCloseTo(seconds)
  })

  it('is read from a field and from a time since 1970', () => {
    server = createServer()
    expect(wait({}, '{"message":"slow","retry_after":3}')).toBe(3)
    expect(wait({ 'retry-after': String(Date.now() + 5000) })).toBeCloseTo(5, 0)
    expect(wait({ 'retry-after': String(Math.floor(Date.now() / 1000) + 5) })).toBeCloseTo(5, -1)
  })

  it('of hours is not waited for', () => {
    server = createServer()
    expect(
      isPassing(failureOf(429, '{"error":{"message":"Limit of the day: try again in 3h20m"}}', {})),
    ).toBe(false)
    expect(isPassing(failureOf(429, '{"error":{"message":"try again in 20s"}}', {}))).toBe(true)
  })

  it('decides whether to retry after a spent quota', () => {
    server = createServer()
    const spent = '{"error":{"message":"You exceeded your current quota"}}'
    expect(isPassing(failureOf(429, spent, {}))).toBe(false)
    expect(isPassing(failureOf(429, spent, { 'retry-after': '1' }))).toBe(true)
    const perMinute = '{"error":{"message":"Resource has been exhausted (e.g. check quota)."}}'
    expect(isPassing(failureOf(429, perMinute, {}))).toBe(true)
    expect(isSpent(failureOf(429, perMinute, {}))).toBe(false)
  })
})

describe('a server that compresses although it was asked not to', () => {
  const packings = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync, zstd: zstdCompressSync }
  it.each(Object.entries(packings))('is understood in %s, answers and refusals', async (encoding, pack) => {
    let isRefusing = true
    server = createServer((_, response) => {
      const body = isRefusing ? '{"error":{"message":"unknown field stream_options"}}' : answer
      response.writeHead(isRefusing ? 400 : 200, { 'content-encoding': encoding }).end(pack(body))
      isRefusing = false
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
    let said = ''
    const stream = streamOverWire(openaiChat, { provider: 'x', base_url, api_key: null }, patience)
    await stream(call, new AbortController().signal, (part) => {
      if (part.type === 'text') said += part.text
    })
    expect(said).toBe('Hi')
  })

  it.each([
    ['does not say so', {}, gzipSync(answer)],
    ['names several encodings', { 'content-encoding': 'identity, gzip' }, gzipSync(answer)],
    ['compresses twice', { 'content-encoding': 'gzip, gzip' }, gzipSync(gzipSync(answer))],
    ['compresses twice and names it once', { 'content-encoding': 'gzip' }, gzipSync(gzipSync(answer))],
    ['compresses in two ways', { 'content-encoding': 'gzip, br' }, brotliCompressSync(gzipSync(answer))],
    ['names an encoding of a plain answer', { 'content-encoding': 'gzip' }, answer],
  ])('is understood when it %s', async (_, headers, body) => {
    server = createServer((_, response) => {
      response.writeHead(200, headers).end(body)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
    let said = ''
    const stream = streamOverWire(openaiChat, { provider: 'x', base_url, api_key: null }, patience)
    await stream(call, new AbortController().signal, (part) => {
      if (part.type === 'text') said += part.text
    })
    expect(said).toBe('Hi')
  })

  it('fails when the compressed bytes are damaged', async () => {
    server = createServer((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(answer).fill(7, 12, 20))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
    const stream = streamOverWire(openaiChat, { provider: 'x', base_url, api_key: null }, patience)
    await expect(stream(call, new AbortController().signal, () => undefined)).rejects.toThrow()
  })
})
