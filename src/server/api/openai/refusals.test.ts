import OpenAI from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { anApiKey } from '#tests/api-key.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { fails, says } from '#tests/model-server.ts'

let chat: Chat
let base: string
let secret: string
/** Retries like every program that keeps the client's defaults. */
let client: OpenAI
beforeAll(async () => {
  chat = await startChat()
  base = chat.url.replace('/api/v1', '/v1')
  secret = (await anApiKey(chat.app, chat.user, { scopes: ['chat'] })).secret
  client = new OpenAI({ apiKey: secret, baseURL: base, maxRetries: 2 })
})
afterAll(() => chat.close())
beforeEach(() => chat.model.forget())

const model = 'compatible/scripted'
const messages = [{ role: 'user' as const, content: 'Hi' }]
const FILTERED =
  "The response was filtered due to the prompt triggering Azure OpenAI's content management policy."
const TOO_LONG = "This model's maximum context length is 8192 tokens, however you requested 9000 tokens."

const ways: [string, () => Promise<unknown>][] = [
  ['a completion', () => client.chat.completions.create({ model, messages })],
  ['a streamed completion', () => client.chat.completions.create({ model, messages, stream: true })],
  ['a response', () => client.responses.create({ model, input: 'Hi' })],
  ['a streamed response', () => client.responses.create({ model, input: 'Hi', stream: true })],
  ['embeddings', () => client.embeddings.create({ model: 'compatible/small', input: 'Hi' })],
]
const classes: [number, string, number, string][] = [
  [400, FILTERED, 400, 'content_filter'],
  [400, TOO_LONG, 400, 'context_length_exceeded'],
  [400, 'Bad value for seed.', 400, 'invalid_request_error'],
  [401, 'Incorrect API key provided.', 424, 'provider_key_refused'],
  [402, 'Insufficient credits.', 424, 'provider_key_refused'],
  [403, 'This key may not use the model.', 424, 'provider_key_refused'],
  [403, 'Your input was flagged by moderation.', 400, 'content_filter'],
  [404, 'The model does not exist.', 404, 'model_not_found'],
  [413, 'Payload too large.', 413, 'context_length_exceeded'],
  [422, 'Unprocessable.', 422, 'invalid_request_error'],
]

describe.each(ways)("a provider's refusal of %s", (_, send) => {
  it.each(classes)(
    'of %i (%s) is %i %s and is not retried [PG-15]',
    async (status, message, answered, code) => {
      chat.model.always([fails(status, message)])
      const before = chat.model.requests.length
      const refused = await send().then(
        () => null,
        (error: Error) => error,
      )
      expect(refused).toBeInstanceOf(OpenAI.APIError)
      expect(refused).toMatchObject({ status: answered, code, type: 'invalid_request_error' })
      expect(refused?.message).toContain(message.slice(0, 10))
      // A conversation that is too long is shortened and sent once more.
      expect(chat.model.requests.length - before).toBeLessThanOrEqual(
        code === 'context_length_exceeded' ? 2 : 1,
      )
    },
  )
})

const sendRaw = (path: string, body: object) =>
  fetch(base + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, ...body }),
  })

describe("a provider's failure", () => {
  it.each([
    ['/chat/completions', { messages }],
    ['/responses', { input: 'Hi' }],
    ['/embeddings', { model: 'compatible/small', input: 'Hi' }],
  ])('of a limit stays 429 with the seconds to wait at %s [PG-15]', async (path, body) => {
    chat.model.always([fails(429, 'Slow down.', 1)])
    const answer = await sendRaw(path, body)
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '1'])
    expect(await answer.json()).toMatchObject({
      error: {
        code: 'rate_limit_exceeded',
        type: 'rate_limit_error',
      },
    })
  })

  it('of a limit always has seconds to wait; of a used-up quota must not be retried [PG-15]', async () => {
    chat.model.always([fails(429, 'Slow down.')])
    const limited = await sendRaw('/chat/completions', { messages })
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0)
    chat.model.always([fails(429, 'You exceeded your current quota, please check your billing.')])
    const spent = await sendRaw('/chat/completions', { messages })
    expect([spent.status, spent.headers.get('x-should-retry')]).toEqual([429, 'false'])
    expect(await spent.json()).toMatchObject({ error: { code: 'insufficient_quota' } })
  })

  it.each([
    [500, 502],
    [503, 503],
  ])('of %i is %i and may be retried [PG-15]', async (status, answered) => {
    chat.model.always([fails(status, 'Broken.')])
    const answer = await sendRaw('/chat/completions', { messages })
    expect([answer.status, answer.headers.get('x-should-retry')]).toEqual([answered, null])
    expect(await answer.json()).toMatchObject({ error: { code: 'provider_failed', type: 'server_error' } })
  })

  it('can be fetched by the id of its response', async () => {
    chat.model.always([fails(400, FILTERED)])
    const { id } = await client.responses.create({ model, input: 'Hi', background: true })
    await expect.poll(async () => (await client.responses.retrieve(id)).status).toBe('failed')
    expect((await client.responses.retrieve(id)).error).toMatchObject({ code: 'content_filter' })
  })
})

describe('a stream that fails after it began', () => {
  const streamError = (message: string, code: string) => [
    { do: 'stream-error' as const, error: { message, code, type: 'invalid_request_error' } },
  ]

  it('ends with an error event of the wire [PG-15]', async () => {
    chat.model.always([says('Half '), ...streamError(FILTERED, 'content_filter')])
    let text = ''
    const read = async () => {
      const stream = await client.chat.completions.create({ model, messages, stream: true })
      for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? ''
    }
    await expect(read()).rejects.toMatchObject({ code: 'content_filter', type: 'invalid_request_error' })
    expect(text).toBe('Half ')
  })

  it('ends a response with the events "error" and "response.failed" [PG-15]', async () => {
    chat.model.always([says('Half '), ...streamError(FILTERED, 'content_filter')])
    const events = (await (await sendRaw('/responses', { input: 'Hi', stream: true })).text())
      .split('\n')
      .flatMap((line) => (line.startsWith('data: ') ? [JSON.parse(line.slice(6))] : []))
    expect(events.at(-2)).toMatchObject({ type: 'error', code: 'content_filter' })
    expect(events.at(-1)).toMatchObject({
      ...{ type: 'response.failed', sequence_number: events.length - 1 },
      response: { status: 'failed', error: { code: 'content_filter' } },
    })
  })
})
