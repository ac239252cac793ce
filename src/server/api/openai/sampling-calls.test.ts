import OpenAI from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { anApiKey } from '#tests/api-key.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { says } from '#tests/model-server.ts'

let chat: Chat
let client: OpenAI
let secret: string
beforeAll(async () => {
  chat = await startChat()
  secret = (await anApiKey(chat.app, chat.user, { scopes: ['chat'] })).secret
  client = new OpenAI({ apiKey: secret, baseURL: chat.url.replace('/api/v1', '/v1'), maxRetries: 0 })
})
afterAll(() => chat.close())
beforeEach(() => chat.model.forget())

const model = 'compatible/scripted'
const messages = [{ role: 'user' as const, content: 'Count' }]
const lastSent = () => chat.model.requests.at(-1)

describe('parameters of an answer', () => {
  it('reach the model', async () => {
    const given = {
      ...{ top_p: 0.5, seed: 7, presence_penalty: 0.5, frequency_penalty: -1, stop: ['five', 'END'] },
      reasoning_effort: 'low' as const,
    }
    await client.chat.completions.create({ model, messages, ...given })
    expect(lastSent()).toMatchObject(given)
    await client.responses.create({ model, input: 'Count', top_p: 0.25, reasoning: { effort: 'high' } })
    expect(lastSent()).toMatchObject({ top_p: 0.25, reasoning_effort: 'high' })
    await client.chat.completions.create({ model, messages, stop: 'END' })
    expect(lastSent()).toMatchObject({ stop: ['END'] })
    for (const name of ['top_p', 'seed', 'presence_penalty']) expect(lastSent()).not.toHaveProperty(name)
  })

  it('end the answer at a stop sequence, whatever the provider does with it', async () => {
    chat.model.reply([says('one two th', 'ree f', 'our', ' five')], [says('one E', 'N', 'ough')])
    const cut = await client.chat.completions.create({ model, messages, stop: ['four', 'three four'] })
    expect(cut.choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: 'one two ' } })
    const whole = await client.chat.completions.create({ model, messages, stop: ['END'], stream: true })
    let text = ''
    for await (const chunk of whole) text += chunk.choices[0]?.delta.content ?? ''
    expect(text).toBe('one ENough')
  })

  it.each([{ top_p: 2 }, { presence_penalty: 3 }, { stop: [''] }, { seed: 1.5 }])(
    'are refused out of their range, as the API refuses them: %j',
    async (wrong) => {
      const asked = client.chat.completions.create({ model, messages, ...wrong })
      await expect(asked).rejects.toMatchObject({ status: 422 })
    },
  )

  it('of the Messages API reach the model under its names', async () => {
    const answer = await fetch(`${chat.url.replace('/api/v1', '/v1')}/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': secret },
      body: JSON.stringify({
        ...{ model, max_tokens: 50, messages, top_p: 0.5, top_k: 20, stop_sequences: ['END'] },
        output_config: { effort: 'medium' },
      }),
    })
    expect(answer.status).toBe(200)
    expect(lastSent()).toMatchObject({
      ...{ top_p: 0.5, top_k: 20, stop: ['END'], reasoning_effort: 'medium' },
    })
  })
})
