import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { ChatOpenAI, OpenAIEmbeddings } from '@langchain/openai'
import OpenAI from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { anApiKey } from '#tests/api-key.ts'
import { aGate, type Chat, startChat } from '#tests/chat.ts'
import { aReader } from '#tests/documents.ts'
import { calls, cites, fails, type ModelRequest, says, waits } from '#tests/model-server.ts'

let chat: Chat
let client: OpenAI
let base: string
beforeAll(async () => {
  chat = await startChat({ app: { config: { ATRIUM_EMBEDDING_MODEL: 'atrium/lexical' } } })
  base = chat.url.replace('/api/v1', '/v1')
  client = await aClient(['chat', 'assistants'])
})
afterAll(() => chat.close())
beforeEach(() => chat.model.forget())

async function aClient(scopes: ('chat' | 'assistants' | 'chats')[]): Promise<OpenAI> {
  const { secret } = await anApiKey(chat.app, chat.user, { scopes })
  return new OpenAI({ apiKey: secret, baseURL: base, maxRetries: 0 })
}
const model = 'compatible/scripted'
const ask = (content: string) => [{ role: 'user' as const, content }]
const weather = {
  type: 'function' as const,
  function: { name: 'weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } },
}

describe('the OpenAI wire', () => {
  it('lists models and assistants', async () => {
    const ids = (await client.models.list()).data.map(({ id }) => id)
    expect(ids).toEqual(expect.arrayContaining([model, 'atrium/offline']))
    expect(ids.some((id) => id.startsWith('assistant/'))).toBe(true)
    expect(await client.models.retrieve(model)).toMatchObject({ id: model, owned_by: 'compatible' })
    const modelsAlone = await (await aClient(['chat'])).models.list()
    expect(modelsAlone.data.some(({ id }) => id.startsWith('assistant/'))).toBe(false)
  })

  it('forwards a plain model request, whose answer can be fetched again by id', async () => {
    chat.model.reply([says('Paris', '.')])
    const messages = [{ role: 'system' as const, content: 'Be short.' }, ...ask('Capital of France?')]
    const before = chat.model.requests.length
    const answer = await client.chat.completions.create({ model, messages, temperature: 0.2 })
    expect(answer.choices[0]).toMatchObject({
      finish_reason: 'stop',
      message: { role: 'assistant', content: 'Paris.' },
    })
    expect(answer.usage).toMatchObject({ prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 })
    expect(chat.model.requests[before]).toMatchObject({ messages, temperature: 0.2 })
    const again = await client.chat.completions.retrieve(answer.id)
    expect(again).toMatchObject({ id: answer.id, choices: answer.choices })
    expect(
      (await chat.call('GET', '/sessions')).body.items.map(({ title }: { title: string }) => title),
    ).not.toContain(model)
  })

  it('streams text as it is generated, with its usage', async () => {
    const { open, opened } = aGate()
    chat.model.reply([says('One '), waits(opened), says('two.')])
    const stream = await client.chat.completions.create({
      ...{ model, messages: ask('Count'), stream: true, stream_options: { include_usage: true } },
    })
    let text = ''
    let usage: unknown
    const finishes: (string | null | undefined)[] = []
    for await (const chunk of stream) {
      text += chunk.choices[0]?.delta.content ?? ''
      if (text === 'One ') open()
      finishes.push(chunk.choices[0]?.finish_reason)
      usage = chunk.usage ?? usage
    }
    expect(text).toBe('One two.')
    expect(finishes).toContain('stop')
    expect(usage).toMatchObject({ total_tokens: 120 })
  })

  it('returns tool calls to the caller, streamed and complete', async () => {
    chat.model.reply([calls('weather', { city: 'Metz' }, 'call_1')])
    const asked = await client.chat.completions.create({ model, messages: ask('Rain?'), tools: [weather] })
    const [choice] = asked.choices
    expect(choice?.finish_reason).toBe('tool_calls')
    expect(choice?.message.tool_calls).toEqual([
      { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Metz"}' } },
    ])
    chat.model.reply([says('It rains.')])
    const messages = [
      ...ask('Rain?'),
      choice!.message,
      { role: 'tool' as const, tool_call_id: 'call_1', content: 'rain' },
    ]
    const told = await client.chat.completions.create({ model, messages, tools: [weather] })
    expect(told.choices[0]?.message.content).toBe('It rains.')
    expect(chat.model.requests.at(-1)?.messages.at(-1)).toMatchObject({ role: 'tool', content: 'rain' })
    chat.model.reply([calls('weather', { city: 'Nice' }, 'call_2')])
    const streamed = client.chat.completions.stream({ model, messages: ask('Rain?'), tools: [weather] })
    expect((await streamed.finalChatCompletion()).choices[0]?.message.tool_calls?.[0]).toMatchObject({
      ...{ id: 'call_2', function: { name: 'weather', arguments: '{"city":"Nice"}' } },
    })
  })

  it('forwards pictures and a required output format', async () => {
    chat.model.reply([says('{"colour":"red"}')])
    const url = `data:image/png;base64,${Buffer.from('picture').toString('base64')}`
    const schema = { type: 'object', properties: { colour: { type: 'string' } } }
    const answer = await client.chat.completions.create({
      model,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Colour?' },
            { type: 'image_url', image_url: { url } },
          ],
        },
      ],
      response_format: { type: 'json_schema', json_schema: { name: 'colour', schema } },
    })
    expect(answer.choices[0]?.message.content).toBe('{"colour":"red"}')
    const sent = chat.model.requests.at(-1)
    expect(JSON.stringify(sent?.messages)).toContain(url)
    expect(sent).toMatchObject({ response_format: { json_schema: { name: 'colour', schema } } })
  })

  it.each([
    ['an unknown model', { model: 'compatible/nothing' }, 404, 'model_not_found'],
    ['an unknown assistant', { model: 'assistant/nobody' }, 404, 'model_not_found'],
    ['no messages', { messages: [] }, 422, 'invalid'],
    ['a temperature nobody has', { temperature: 9 }, 422, 'invalid'],
    [
      'a result of no call',
      { messages: [{ role: 'tool' as const, tool_call_id: 'x', content: 'y' }] },
      422,
      'invalid',
    ],
  ])('refuses %s in its own error format', async (_, wrong, status, code) => {
    const refused = await client.chat.completions
      .create({ model, messages: ask('Hi'), ...wrong })
      .catch((error) => error)
    expect(refused).toBeInstanceOf(OpenAI.APIError)
    expect(refused).toMatchObject({ status, code })
    expect(refused.message).toMatch(/\.$/)
  })

  it('returns 401 without a valid key, 403 outside of its scopes, and forwards model failures', async () => {
    const stranger = new OpenAI({ apiKey: 'atr_wrong', baseURL: base, maxRetries: 0 })
    await expect(stranger.models.list()).rejects.toMatchObject({ status: 401, code: 'invalid_api_key' })
    const other = await aClient(['chats'])
    await expect(other.models.list()).rejects.toMatchObject({ status: 403 })
    const modelsAlone = await aClient(['chat'])
    const toAssistant = modelsAlone.chat.completions.create({ model: 'assistant/x', messages: ask('Hi') })
    await expect(toAssistant).rejects.toMatchObject({ status: 403 })
    chat.model.reply([fails(400, 'messages: wrong')])
    for (const stream of [false, true]) {
      chat.model.forget()
      chat.model.reply([fails(400, 'messages: wrong')])
      const failing = client.chat.completions.create({ model, messages: ask('Hi'), stream })
      await expect(failing, String(stream)).rejects.toMatchObject({
        status: 400,
        code: 'invalid_request_error',
      })
    }
  })

  it('returns embeddings', async () => {
    const answer = await client.embeddings.create({ model: 'atrium/lexical', input: ['cat', 'dog'] })
    expect(answer.data).toHaveLength(2)
    expect(answer.data[0]?.embedding.length).toBeGreaterThan(10)
    const floats = await client.embeddings.create({
      ...{ model: 'atrium/lexical', input: 'cat', encoding_format: 'float' as const },
    })
    expect(answer.data[0]?.embedding[0]).toBeCloseTo(floats.data[0]!.embedding[0]!, 5)
  })

  it('works with the AI SDK', async () => {
    const { secret } = await anApiKey(chat.app, chat.user, { scopes: ['chat'] })
    const provider = createOpenAICompatible({ name: 'atrium', apiKey: secret, baseURL: base })
    chat.model.reply([says('Hello ', 'there.')])
    const { stream } = await provider(model).doStream({
      prompt: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
    } as never)
    const parts: { type: string; delta?: string }[] = []
    for await (const part of stream as unknown as AsyncIterable<(typeof parts)[0]>) parts.push(part)
    expect(parts.flatMap(({ type, delta }) => (type === 'text-delta' ? [delta] : [])).join('')).toBe(
      'Hello there.',
    )
    expect(parts.at(-1)).toMatchObject({ type: 'finish' })
  })
})

describe('the OpenAI wire with LangChain', () => {
  it('answers complete and streamed, with tools of the caller and with embeddings [PG-02]', async () => {
    const { secret } = await anApiKey(chat.app, chat.user, { scopes: ['chat'] })
    const settings = { apiKey: secret, maxRetries: 0, configuration: { baseURL: base } }
    const bot = new ChatOpenAI({ ...settings, model })
    chat.model.reply([says('Paris.')])
    const answer = await bot.invoke('Capital of France?')
    expect(answer.content).toBe('Paris.')
    expect(answer.usage_metadata).toMatchObject({ input_tokens: 100, output_tokens: 20 })
    chat.model.reply([says('One ', 'two.')])
    let text = ''
    for await (const part of await bot.stream('Count')) text += part.content
    expect(text).toBe('One two.')
    chat.model.reply([calls('weather', { city: 'Metz' }, 'call_1')])
    const { tool_calls } = await bot.bindTools([weather]).invoke('Rain?')
    expect(tool_calls).toMatchObject([{ name: 'weather', args: { city: 'Metz' }, id: 'call_1' }])
    const vectors = await new OpenAIEmbeddings({ ...settings, model: 'atrium/lexical' }).embedDocuments([
      ...['cat', 'dog'],
    ])
    expect(vectors.map(({ length }) => length > 10)).toEqual([true, true])
    await expect(new ChatOpenAI({ ...settings, model: 'no/model' }).invoke('Hi')).rejects.toMatchObject({
      status: 404,
    })
  })
})

describe('an assistant as a model', () => {
  const LEASE = 'The rent of the warehouse in Lyon is 4 200 euros a month.'

  async function anAssistant(name: string, documents: string[] = []) {
    const { body } = await chat.call('POST', '/assistants', {
      ...{ name, documents, system_prompt: 'You know contracts.', status: 'published', model_name: model },
    })
    return body.id as string
  }

  it('answers under its name and its id, using its tools [PG-03]', async () => {
    const id = await anAssistant('Analyste achats')
    chat.model.reply(
      [calls('calculator', { a: 6, b: 7, operation: 'multiply' })],
      [says('It is 42.'), cites({ url: 'https://example.com/a', title: 'A page' })],
    )
    const messages = [
      { role: 'system' as const, content: 'Answer in one line.' },
      { role: 'user' as const, content: 'Hello' },
      { role: 'assistant' as const, content: 'Hello, what do you need?' },
      ...ask('6 times 7?'),
    ]
    const answer = await client.chat.completions.create({ model: 'assistant/analyste-achats', messages })
    expect(answer.choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: 'It is 42.' } })
    const told = chat.model.requests.at(-1)?.messages
    expect(told?.at(-1)).toMatchObject({ role: 'tool', content: expect.stringContaining('42') })
    for (const words of ['You know contracts.', 'Answer in one line.', 'what do you need?', '6 times 7?'])
      expect(JSON.stringify(told)).toContain(words)
    chat.model.reply([says('Yes.')])
    const stream = await client.chat.completions.create({
      ...{ model: `assistant/${id}`, messages: ask('Really?'), stream: true },
    })
    let text = ''
    for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? ''
    expect(text).toBe('Yes.')
  })

  it('answers from its documents, with citations as annotations, complete and streamed [PG-03]', async () => {
    const reader = await aReader(chat.app, chat.url, chat.user)
    const { body } = await reader.upload({ name: 'lease.txt', content: LEASE })
    await reader.processed(body.id)
    const id = await anAssistant('Leases', [body.id])
    const cite = (request: ModelRequest) => {
      const number = /\[(\d+)\] The rent/.exec(JSON.stringify(request.messages))?.[1] ?? 'none'
      return [says('The rent is 4 200 euros [', `${number}`, '], a month.')]
    }
    chat.model.reply(cite)
    const asked = { model: `assistant/${id}`, messages: ask('What is the rent?') }
    const answer = await client.chat.completions.create(asked)
    const message = answer.choices[0]!.message
    expect(message.content).toMatch(/^The rent is 4 200 euros\s?\[1\], a month\.$/)
    const [annotation] = message.annotations ?? []
    expect(annotation?.url_citation).toMatchObject({ title: 'lease.txt' })
    const { start_index, end_index, url } = annotation!.url_citation
    expect(message.content?.slice(start_index, end_index)).toBe('[1]')
    expect(url).toContain(`/documents/${body.id}?chunk=`)
    chat.model.reply(cite)
    const stream = await client.chat.completions.create({ ...asked, stream: true })
    let text = ''
    const annotations: unknown[] = []
    for await (const chunk of stream) {
      const delta = chunk.choices[0]?.delta as { content?: string; annotations?: unknown[] } | undefined
      text += delta?.content ?? ''
      annotations.push(...(delta?.annotations ?? []))
    }
    expect(text).toBe(message.content)
    expect(annotations).toHaveLength(1)
  })

  it('refuses tools and pictures of the caller', async () => {
    const id = await anAssistant('Plain')
    const withTools = client.chat.completions.create({
      ...{ model: `assistant/${id}`, messages: ask('Hi'), tools: [weather] },
    })
    await expect(withTools).rejects.toMatchObject({ status: 422 })
  })
})

describe('the Responses API', () => {
  it('returns text and tool calls, which can be fetched again by id', async () => {
    chat.model.reply([says('Paris.')])
    const before = chat.model.requests.length
    const response = await client.responses.create({ model, instructions: 'Be short.', input: 'Capital?' })
    expect(response).toMatchObject({ status: 'completed', output_text: 'Paris.' })
    expect(response.usage).toMatchObject({ input_tokens: 100, output_tokens: 20, total_tokens: 120 })
    expect(chat.model.requests[before]?.messages).toEqual([
      { role: 'system', content: 'Be short.' },
      { role: 'user', content: 'Capital?' },
    ])
    const again = await client.responses.retrieve(response.id)
    expect(again).toMatchObject({ id: response.id, output_text: 'Paris.' })
    const tool = { type: 'function' as const, strict: false, ...weather.function }
    chat.model.reply([calls('weather', { city: 'Metz' }, 'call_1')])
    const asked = await client.responses.create({ model, input: 'Rain?', tools: [tool] })
    const [called] = asked.output
    expect(called).toMatchObject({ type: 'function_call', call_id: 'call_1', arguments: '{"city":"Metz"}' })
    chat.model.reply([says('It rains.')])
    const told = await client.responses.create({
      ...{ model, tools: [tool] },
      input: [
        { role: 'user', content: 'Rain?' },
        called as never,
        { type: 'function_call_output', call_id: 'call_1', output: 'rain' },
      ],
    })
    expect(told.output_text).toBe('It rains.')
  })

  it('streams events that the official client folds', async () => {
    chat.model.reply([says('One ', 'two.')])
    const streamed = client.responses.stream({ model, input: 'Count' })
    const deltas: string[] = []
    streamed.on('response.output_text.delta', ({ delta }) => void deltas.push(delta))
    expect(await streamed.finalResponse()).toMatchObject({ status: 'completed', output_text: 'One two.' })
    expect(deltas.join('')).toBe('One two.')
  })

  it('supports background responses and cancelling them', async () => {
    const { open, opened } = aGate()
    chat.model.reply([says('Begun '), waits(opened), says('done.')])
    const begun = await client.responses.create({ model, input: 'Long', background: true })
    expect(begun.status).toBe('in_progress')
    expect((await client.responses.retrieve(begun.id)).status).toBe('in_progress')
    expect((await client.responses.cancel(begun.id)).status).toBe('cancelled')
    open()
    await expect(client.responses.retrieve('resp_nothing')).rejects.toMatchObject({ status: 404 })
  })
})
