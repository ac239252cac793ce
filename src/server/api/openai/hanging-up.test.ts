import OpenAI from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { anApiKey } from '#tests/api-key.ts'
import { aUser } from '#tests/builders.ts'
import { aGate, type Chat, startChat } from '#tests/chat.ts'
import { says, waits } from '#tests/model-server.ts'

let chat: Chat
let client: OpenAI
let base: string
beforeAll(async () => {
  chat = await startChat()
  base = chat.url.replace('/api/v1', '/v1')
  const { secret } = await anApiKey(chat.app, chat.user, { scopes: ['chat'] })
  client = new OpenAI({ apiKey: secret, baseURL: base, maxRetries: 0 })
})
afterAll(() => chat.close())
beforeEach(() => chat.model.forget())

const model = 'compatible/scripted'
const ask = (content: string) => [{ role: 'user' as const, content }]

describe('a call on the OpenAI wire', () => {
  it('stops when its client hangs up, unless the client asked it to continue [PG-04]', async () => {
    const background = { input: 'Long', background: true, stream: true } as const
    const wishes: [boolean, (signal: AbortSignal) => Promise<unknown>][] = [
      ...[false, true].map((stream): [boolean, (signal: AbortSignal) => Promise<unknown>] => [
        false,
        (signal) => client.chat.completions.create({ model, messages: ask('Long'), stream }, { signal }),
      ]),
      [false, (signal) => client.responses.create({ model, input: 'Long' }, { signal })],
      [true, (signal) => client.responses.create({ model, ...background }, { signal })],
      [true, (signal) => continued({ 'x-atrium-continue': 'true' }, signal)],
      [true, (signal) => continued({ 'idempotency-key': 'may-return' }, signal)],
    ]
    for (const [continues, send] of wishes) {
      const { open, opened } = aGate()
      chat.model.reply([says('Begun, '), waits(opened), says('done.')])
      const [asked, cut] = [chat.model.requests.length, chat.model.cutOff()]
      const left = new AbortController()
      send(left.signal).catch(() => undefined)
      await expect.poll(() => chat.model.requests.length, { timeout: 10_000 }).toBe(asked + 1)
      left.abort()
      if (continues) {
        await new Promise((resolve) => setTimeout(resolve, 500))
        expect(chat.model.cutOff(), String(send)).toBe(cut)
      } else await expect.poll(() => chat.model.cutOff(), { timeout: 5_000 }).toBe(cut + 1)
      open()
    }
  })

  const continued = (headers: Record<string, string>, signal?: AbortSignal) =>
    client.chat.completions.create({ model, messages: ask('Long'), stream: true }, { headers, signal })

  it('that continues is answered in full, and its answer is fetched by id', async () => {
    const { open, opened } = aGate()
    chat.model.reply([says('Begun, '), waits(opened), says('done.')])
    const stream = await continued({ 'x-atrium-continue': 'true' })
    let id = ''
    for await (const chunk of stream) {
      id = chunk.id
      break
    }
    stream.controller.abort()
    const early = client.chat.completions.retrieve(id)
    await expect(early).rejects.toMatchObject({ status: 409 })
    open()
    await expect
      .poll(
        async () =>
          (await client.chat.completions.retrieve(id).catch(() => null))?.choices[0]?.message.content,
        {
          timeout: 20_000,
        },
      )
      .toBe('Begun, done.')
    const stranger = await startStranger()
    await expect(stranger.chat.completions.retrieve(id)).rejects.toMatchObject({ status: 404 })
  })

  it('is made once per idempotency key', async () => {
    const before = chat.model.requests.length
    chat.model.reply([says('Once.')])
    const options = { headers: { 'Idempotency-Key': 'order-17' } }
    const send = () => client.chat.completions.create({ model, messages: ask('Go') }, options)
    const [one, two] = [await send(), await send()]
    expect(two).toMatchObject({ id: one.id, choices: one.choices })
    expect(chat.model.requests).toHaveLength(before + 1)
  })
})

async function startStranger(): Promise<OpenAI> {
  const { secret } = await anApiKey(chat.app, await aUser(chat.app), { scopes: ['chat'] })
  return new OpenAI({ apiKey: secret, baseURL: base, maxRetries: 0 })
}
