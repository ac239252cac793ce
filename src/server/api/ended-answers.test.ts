import OpenAI from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { anApiKey } from '#tests/api-key.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { says, stopsAtLength, stopsByFilter } from '#tests/model-server.ts'

let chat: Chat
let client: OpenAI
let secret: string
beforeAll(async () => {
  chat = await startChat()
  secret = (await anApiKey(chat.app, chat.user, { scopes: ['chat', 'assistants'] })).secret
  client = new OpenAI({ apiKey: secret, baseURL: chat.url.replace('/api/v1', '/v1'), maxRetries: 0 })
})
afterAll(() => chat.close())
beforeEach(() => chat.model.forget())

const messages = [{ role: 'user' as const, content: 'Go' }]
const plain = 'compatible/scripted'

async function anAssistant(): Promise<string> {
  const { status, body } = await chat.call('POST', '/assistants', {
    ...{ name: 'Clerk', instructions: 'Be brief.', model_name: plain },
  })
  expect(status).toBe(201)
  return `assistant/${body.id}`
}

describe.each([
  ['content_filter', stopsByFilter, 'refusal'],
  ['length', stopsAtLength, 'max_tokens'],
] as const)('an answer that ended by %s', (reason, end, stop_reason) => {
  it.each(['a model', 'an assistant'])('names the reason for %s', async (which) => {
    const model = which === 'a model' ? plain : await anAssistant()
    chat.model.reply([says('So far'), end()])
    const answer = await client.chat.completions.create({ model, messages })
    expect(answer.choices[0]).toMatchObject({ finish_reason: reason, message: { content: 'So far' } })
    chat.model.reply([says('So far'), end()])
    const stream = await client.chat.completions.create({ model, messages, stream: true })
    const reasons: (string | null | undefined)[] = []
    for await (const { choices } of stream) reasons.push(choices[0]?.finish_reason)
    expect(reasons).toContain(reason)
    chat.model.reply([says('So far'), end()])
    const response = await client.responses.create({ model, input: 'Go' })
    expect(response).toMatchObject({ status: 'incomplete', output_text: 'So far' })
  })

  it('has the stop reason of the Messages API', async () => {
    chat.model.reply([says('So far'), end()])
    const answer = await fetch(`${chat.url.replace('/api/v1', '/v1')}/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': secret },
      body: JSON.stringify({ model: plain, max_tokens: 50, messages }),
    })
    expect(await answer.json()).toMatchObject({ stop_reason })
  })
})
