import { createAnthropic } from '@ai-sdk/anthropic'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { anApiKey } from '#tests/api-key.ts'
import { aGate, type Chat, startChat } from '#tests/chat.ts'
import { calls, fails, says, stopsAtLength, thinks, waits } from '#tests/model-server.ts'

let chat: Chat
let base: string
let secret: string
beforeAll(async () => {
  chat = await startChat()
  base = chat.url.replace('/api/v1', '/v1')
  secret = (await anApiKey(chat.app, chat.user, { scopes: ['chat', 'assistants'] })).secret
})
afterAll(() => chat.close())
beforeEach(() => chat.model.forget())

const model = 'compatible/scripted'
const user = (content: unknown) => ({ role: 'user', content })
const weather = {
  ...{ name: 'weather', description: 'Tells the weather.' },
  input_schema: { type: 'object', properties: { city: { type: 'string' } } },
}
const PNG = Buffer.from('picture').toString('base64')

async function send(body: object, headers: Record<string, string> = { 'x-api-key': secret }, path = '') {
  const answer = await fetch(`${base}/messages${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'anthropic-version': '2023-06-01', ...headers },
    body: JSON.stringify({ model, max_tokens: 500, messages: [user('Hi')], ...body }),
  })
  const text = await answer.text()
  return {
    status: answer.status,
    headers: answer.headers,
    text,
    body: text.startsWith('{') ? JSON.parse(text) : null,
  }
}

async function stream(body: object) {
  const { text } = await send({ ...body, stream: true })
  return text.split('\n').flatMap((line) => (line.startsWith('data: ') ? [JSON.parse(line.slice(6))] : []))
}

const lastSent = () => chat.model.requests.at(-1)

describe('the Messages API', () => {
  it('answers with a message and its usage, for either header of a key [PG-16]', async () => {
    chat.model.always([says('Paris', '.')])
    const system = [{ type: 'text', text: 'Be short.', cache_control: { type: 'ephemeral' } }]
    const keys: Record<string, string>[] = [{ 'x-api-key': secret }, { authorization: `Bearer ${secret}` }]
    for (const headers of keys)
      expect(await send({ system, temperature: 0.2 }, headers)).toMatchObject({
        status: 200,
        body: {
          ...{ type: 'message', role: 'assistant', model, stop_reason: 'end_turn', stop_sequence: null },
          id: expect.stringMatching(/^msg_/),
          content: [{ type: 'text', text: 'Paris.' }],
          usage: { input_tokens: 100, output_tokens: 20 },
        },
      })
    expect(lastSent()).toMatchObject({
      messages: [{ role: 'system', content: 'Be short.' }, user('Hi')],
      ...{ temperature: 0.2, max_tokens: 500 },
    })
    chat.model.reply([says('Cut'), stopsAtLength()])
    expect((await send({ system: 'Be long.' })).body.stop_reason).toBe('max_tokens')
    expect(lastSent()?.messages[0]).toEqual({ role: 'system', content: 'Be long.' })
  })

  it('calls tools of the caller and takes their results [PG-16]', async () => {
    chat.model.reply([says('Let me see.'), calls('weather', { city: 'Metz' }, 'call_1')])
    const asked = (await send({ tools: [weather], tool_choice: { type: 'any' } })).body
    expect(lastSent()).toMatchObject({
      tools: [{ type: 'function', function: { name: 'weather' } }],
      tool_choice: 'required',
    })
    expect(asked).toMatchObject({
      stop_reason: 'tool_use',
      content: [
        { type: 'text', text: 'Let me see.' },
        { type: 'tool_use', id: 'call_1', name: 'weather', input: { city: 'Metz' } },
      ],
    })
    const result = {
      ...{ type: 'tool_result', tool_use_id: 'call_1' },
      content: [
        { type: 'text', text: 'rain' },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } },
      ],
    }
    const thought = { type: 'thinking', thinking: 'Hm.', signature: 'x' }
    await send({
      tools: [weather],
      messages: [
        user('Rain?'),
        { role: 'assistant', content: [thought, ...asked.content] },
        user([result, { type: 'text', text: 'So?' }]),
      ],
    })
    const [, called, told, then] = lastSent()?.messages ?? []
    expect(called).toMatchObject({ role: 'assistant', tool_calls: [{ id: 'call_1' }] })
    expect(told).toMatchObject({ role: 'tool', tool_call_id: 'call_1', content: 'rain' })
    expect(JSON.stringify(then)).toContain(`data:image/png;base64,${PNG}`)
    expect(JSON.stringify(then)).toContain('So?')
  })

  it('passes pictures and documents on [PG-16]', async () => {
    const picture = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } }
    const letter = { type: 'document', source: { type: 'text', data: 'The rent is due.' } }
    expect((await send({ messages: [user([picture, letter])] })).status).toBe(200)
    const sent = JSON.stringify(lastSent()?.messages)
    expect(sent).toContain(`data:image/png;base64,${PNG}`)
    expect(sent).toContain('The rent is due.')
  })

  it('streams thoughts, text and tool calls as blocks [PG-16]', async () => {
    chat.model.reply([thinks('Hm', '.'), says('One ', 'two.'), calls('weather', { city: 'Nice' }, 'call_2')])
    const events = await stream({ tools: [weather], thinking: { type: 'enabled', budget_tokens: 1024 } })
    expect(events[0]).toMatchObject({ type: 'message_start', message: { role: 'assistant', content: [] } })
    const starts = events.filter(({ type }) => type === 'content_block_start')
    expect(starts.map(({ index, content_block }) => [index, content_block.type])).toEqual([
      ...[
        [0, 'thinking'],
        [1, 'text'],
        [2, 'tool_use'],
      ],
    ])
    const deltas = events.flatMap(({ delta, index }) => (index === undefined || !delta ? [] : [delta]))
    const joined = (name: string) => deltas.map((delta) => delta[name] ?? '').join('')
    expect([joined('thinking'), joined('text'), joined('partial_json')]).toEqual([
      ...['Hm.', 'One two.', '{"city":"Nice"}'],
    ])
    expect(events.filter(({ type }) => type === 'content_block_stop')).toHaveLength(3)
    expect(events.slice(-2)).toMatchObject([
      {
        type: 'message_delta',
        delta: { stop_reason: 'tool_use' },
        usage: { input_tokens: 100, output_tokens: 20 },
      },
      { type: 'message_stop' },
    ])
  })

  it('works with the AI SDK [PG-16]', async () => {
    const provider = createAnthropic({ apiKey: secret, baseURL: base })
    chat.model.reply([says('Hello ', 'there.'), calls('weather', { city: 'Metz' }, 'call_3')])
    const tools = [{ type: 'function', name: 'weather', inputSchema: weather.input_schema }]
    const prompt = [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }]
    const answer = await provider(model).doStream({ prompt, tools } as never)
    const parts: { type: string; delta?: string }[] = []
    for await (const part of answer.stream as unknown as AsyncIterable<(typeof parts)[0]>) parts.push(part)
    expect(parts.flatMap(({ type, delta }) => (type === 'text-delta' ? [delta] : [])).join('')).toBe(
      'Hello there.',
    )
    expect(parts).toContainEqual(
      expect.objectContaining({ type: 'tool-call', toolCallId: 'call_3', input: '{"city":"Metz"}' }),
    )
    expect(parts.at(-1)).toMatchObject({ type: 'finish' })
  })

  it('asks an assistant by its name [PG-16]', async () => {
    await chat.call('POST', '/assistants', {
      ...{ name: 'Clerk', system_prompt: 'You file.', status: 'published', model_name: model },
    })
    chat.model.reply([says('Filed.')])
    const { body } = await send({ model: 'assistant/clerk' })
    expect(body.content).toEqual([{ type: 'text', text: 'Filed.', citations: null }])
    expect(JSON.stringify(lastSent()?.messages)).toContain('You file.')
  })

  it('stops the model when the caller hangs up [PG-16]', async () => {
    const { open, opened } = aGate()
    chat.model.reply([says('Begun '), waits(opened)])
    const [asked, cut] = [chat.model.requests.length, chat.model.cutOff()]
    const left = new AbortController()
    fetch(`${base}/messages`, {
      ...{ method: 'POST', signal: left.signal },
      headers: { 'content-type': 'application/json', 'x-api-key': secret },
      body: JSON.stringify({ model, max_tokens: 9, messages: [user('Long')], stream: true }),
    }).catch(() => undefined)
    await expect.poll(() => chat.model.requests.length, { timeout: 10_000 }).toBe(asked + 1)
    left.abort()
    await expect.poll(() => chat.model.cutOff(), { timeout: 5_000 }).toBe(cut + 1)
    open()
  })
})

describe('an error of the Messages API', () => {
  const webSearch = { type: 'web_search_20250305', name: 'web_search' }
  it.each([
    ['an unknown model', { model: 'compatible/nothing' }, 404, 'not_found_error'],
    ['no messages', { messages: [] }, 400, 'invalid_request_error'],
    ['a tool that Anthropic runs', { tools: [webSearch] }, 400, 'invalid_request_error'],
    [
      'a result of no call',
      { messages: [user([{ type: 'tool_result', tool_use_id: 'x' }])] },
      ...([400, 'invalid_request_error'] as const),
    ],
  ])('for %s has the form of Anthropic [PG-16]', async (_, wrong, status, type) => {
    const refused = await send(wrong)
    expect(refused).toMatchObject({ status, body: { type: 'error', error: { type } } })
    expect(refused.body.error.message).toMatch(/\.$/)
  })

  it('for a wrong key is 401', async () => {
    const keys: Record<string, string>[] = [{ 'x-api-key': 'atr_wrong' }, {}]
    for (const headers of keys)
      expect(await send({}, headers)).toMatchObject({
        ...{ status: 401, body: { type: 'error', error: { type: 'authentication_error' } } },
      })
  })

  it.each([
    [400, 400, 'invalid_request_error', 'false'],
    [401, 424, 'invalid_request_error', 'false'],
    [404, 404, 'not_found_error', 'false'],
    [429, 429, 'rate_limit_error', null],
    [529, 503, 'overloaded_error', null],
  ])('of a provider that answers %i is %i', async (status, answered, type, retry) => {
    chat.model.always([fails(status, 'No.', status === 429 ? 1 : undefined)])
    for (const streamed of [false, true]) {
      const refused = await send({ stream: streamed })
      expect(refused).toMatchObject({ status: answered, body: { type: 'error', error: { type } } })
      expect(refused.headers.get('x-should-retry')).toBe(retry)
    }
    chat.model.always([says('Fine.')])
  })

  it('ends a stream that began as an event', async () => {
    const error = { message: 'Flagged by moderation', code: 'content_filter' }
    chat.model.reply([says('Half '), { do: 'stream-error', error }])
    expect((await stream({})).at(-1)).toMatchObject({
      type: 'error',
      error: { type: 'invalid_request_error' },
    })
  })
})

describe('tokens of a message', () => {
  it('are counted without asking the model [PG-16]', async () => {
    const before = chat.model.requests.length
    const count = async (content: unknown) =>
      (await send({ messages: [user(content)] }, { 'x-api-key': secret }, '/count_tokens')).body.input_tokens
    const [short, long] = [await count('Hi'), await count('word '.repeat(500))]
    expect(short).toBeLessThan(20)
    expect(long).toBeGreaterThan(400)
    const picture = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } }
    expect(await count([picture])).toBeGreaterThan(1_000)
    expect(chat.model.requests).toHaveLength(before)
  })
})
