import OpenAI from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { anApiKey } from '#tests/api-key.ts'
import { aUser } from '#tests/builders.ts'
import { aGate, type Chat, startChat } from '#tests/chat.ts'
import { calls, fails, says, waits } from '#tests/model-server.ts'

let chat: Chat
let client: OpenAI
beforeAll(async () => {
  chat = await startChat()
  client = await aClient(chat.user)
})
afterAll(() => chat.close())
beforeEach(() => chat.model.forget())

async function aClient(user: Chat['user']): Promise<OpenAI> {
  const { secret } = await anApiKey(chat.app, user, { scopes: ['chat', 'assistants'] })
  return new OpenAI({ apiKey: secret, baseURL: chat.url.replace('/api/v1', '/v1'), maxRetries: 0 })
}

const model = 'compatible/scripted'
const weather = {
  ...{ type: 'function' as const, name: 'weather', strict: false },
  parameters: { type: 'object', properties: { city: { type: 'string' } } },
}
const notFound = { status: 400, code: 'previous_response_not_found', param: 'previous_response_id' }

describe('a response that continues another', () => {
  it('has its conversation, and instructions of its own [PG-17]', async () => {
    chat.model.reply([says('Paris.')], [says('Berlin.')], [says('Bern.')])
    const first = await client.responses.create({ model, instructions: 'Be short.', input: 'France?' })
    const next = { model, instructions: 'Be kind.', previous_response_id: first.id }
    const second = await client.responses.create({ ...next, input: 'Germany?' })
    expect(second).toMatchObject({ previous_response_id: first.id, output_text: 'Berlin.' })
    expect(await client.responses.retrieve(second.id)).toMatchObject({ previous_response_id: first.id })
    await client.responses.create({ model, input: 'Switzerland?', previous_response_id: second.id })
    expect(
      chat.model.requests.slice(-2).map(({ messages }) => messages.map(({ content }) => content)),
    ).toEqual([
      ['Be kind.', 'France?', 'Paris.', 'Germany?'],
      ['France?', 'Paris.', 'Germany?', 'Berlin.', 'Switzerland?'],
    ])
  })

  it('takes the result of a tool that the earlier one called [PG-17]', async () => {
    chat.model.reply([calls('weather', { city: 'Metz' }, 'call_1')], [says('It rains.')])
    const asked = await client.responses.create({ model, input: 'Rain?', tools: [weather] })
    const told = await client.responses.create({
      ...{ model, tools: [weather], previous_response_id: asked.id },
      input: [{ type: 'function_call_output', call_id: 'call_1', output: 'rain' }],
    })
    expect(told.output_text).toBe('It rains.')
    expect(chat.model.requests.at(-1)?.messages).toMatchObject([
      { role: 'user', content: 'Rain?' },
      { role: 'assistant', tool_calls: [{ id: 'call_1' }] },
      { role: 'tool', tool_call_id: 'call_1', content: 'rain' },
    ])
  })

  it('continues the turns of an assistant [PG-17]', async () => {
    const { body } = await chat.call('POST', '/assistants', {
      ...{ name: 'Buyer', system_prompt: 'You buy.', status: 'published', model_name: model },
    })
    const assistant = { model: `assistant/${body.id}` }
    chat.model.reply([says('Two offers.')], [says('The first.')])
    const first = await client.responses.create({ ...assistant, input: 'Which offers?' })
    await client.responses.create({ ...assistant, input: 'The best?', previous_response_id: first.id })
    const sent = JSON.stringify(chat.model.requests.at(-1)?.messages)
    for (const words of ['Which offers?', 'Two offers.', 'The best?']) expect(sent).toContain(words)
  })

  it('is refused when the earlier one is unknown, of another person, not stored or failed [PG-17]', async () => {
    const continued = (previous_response_id: string, of = client) =>
      of.responses.create({ model, input: 'Go on', previous_response_id })
    await expect(continued('resp_nothing')).rejects.toMatchObject(notFound)
    const { id } = await client.responses.create({ model, input: 'Hi' })
    await expect(continued(id, await aClient(await aUser(chat.app)))).rejects.toMatchObject(notFound)
    const gone = await client.responses.create({ model, input: 'Hi', store: false })
    expect(gone).toMatchObject({ store: false })
    await expect(continued(gone.id)).rejects.toMatchObject(notFound)
    chat.model.reply([fails(400, 'messages: wrong')])
    const failed = await client.responses.create({ model, input: 'Hi', background: true })
    await expect.poll(async () => (await client.responses.retrieve(failed.id)).status).toBe('failed')
    await expect(continued(failed.id)).rejects.toMatchObject({ status: 400, param: 'previous_response_id' })
  })

  it('waits for one in progress', async () => {
    const { open, opened } = aGate()
    chat.model.reply([says('Begun '), waits(opened), says('done.')])
    const { id } = await client.responses.create({ model, input: 'Long', background: true })
    const early = client.responses.create({ model, input: 'Go on', previous_response_id: id })
    await expect(early).rejects.toMatchObject({ status: 409 })
    open()
  })
})

describe('a response that is not stored', () => {
  it('is deleted once it is sent, complete or streamed [PG-17]', async () => {
    const { id } = await client.responses.create({ model, input: 'Hi', store: false })
    await expect(client.responses.retrieve(id)).rejects.toMatchObject({ status: 404 })
    const streamed = client.responses.stream({ model, input: 'Hi', store: false })
    const ids = [id, (await streamed.finalResponse()).id].map((one) => one.replace('resp_', ''))
    const left = () => chat.app.deps.db.selectFrom('sessions').select('id').where('id', 'in', ids).execute()
    await expect.poll(left).toEqual([])
  })

  it('cannot be made in the background', async () => {
    const asked = client.responses.create({ model, input: 'Hi', store: false, background: true })
    await expect(asked).rejects.toMatchObject({ status: 400, param: 'store' })
  })
})
