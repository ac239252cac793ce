import { setTimeout as sleep } from 'node:timers/promises'
import OpenAI, { toFile } from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anApiKey } from '#tests/api-key.ts'
import { aUser } from '#tests/builders.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { aReader } from '#tests/documents.ts'
import { says } from '#tests/model-server.ts'
import type { Scope } from '../../../shared/platform/http.ts'

let chat: Chat
let base: string
let client: OpenAI
const all: Scope[] = ['chat', 'assistants', 'documents.read', 'documents.write']
beforeAll(async () => {
  chat = await startChat({ app: { config: { ATRIUM_EMBEDDING_MODEL: 'atrium/lexical' } } })
  base = chat.url.replace('/api/v1', '/v1')
  client = await aClient(all)
})
afterAll(() => chat.close())

async function aClient(scopes: Scope[], user: { id: string } = chat.user): Promise<OpenAI> {
  const { secret } = await anApiKey(chat.app, user, { scopes })
  return new OpenAI({ apiKey: secret, baseURL: base, maxRetries: 0 })
}

const RENT = 'The rent of the warehouse in Lyon is 4 200 euros a month.'
const upload = async (name: string, words = RENT, of = client) =>
  of.files.create({ file: await toFile(Buffer.from(words), name), purpose: 'user_data' })

async function processed(id: string) {
  for (const until = Date.now() + 30_000; ; await sleep(100)) {
    const file = await client.files.retrieve(id)
    if (file.status !== 'uploaded' || Date.now() > until) return file
  }
}
const ask = { model: 'compatible/scripted' }

describe('files on the OpenAI wire', () => {
  it('are library documents: stored, listed, read and deleted by the official client [PG-02]', async () => {
    const made = await upload('lease.txt')
    expect(made).toMatchObject({
      ...{ object: 'file', filename: 'lease.txt', purpose: 'user_data', bytes: RENT.length },
    })
    expect(await processed(made.id)).toMatchObject({ id: made.id, status: 'processed' })
    expect(await (await client.files.content(made.id)).text()).toBe(RENT)
    const documentId = made.id.replace('file-', '')
    expect((await chat.call('GET', `/documents/${documentId}`)).body).toMatchObject({ name: 'lease.txt' })
    expect(await client.files.delete(made.id)).toEqual({ id: made.id, object: 'file', deleted: true })
    expect((await chat.call('GET', `/documents/${documentId}`)).status).toBe(404)
    await expect(client.files.retrieve(made.id)).rejects.toMatchObject({ status: 404, code: 'not_found' })
  })

  it('are listed by page, in both orders and by purpose [PG-02]', async () => {
    const user = await aUser(chat.app)
    const theirs = await aClient(all, user)
    const names = ['one.txt', 'two.txt', 'three.txt']
    for (const name of names) await upload(name, name, theirs)
    const picture = { file: await toFile(Buffer.from('four'), 'four.txt'), purpose: 'vision' as const }
    await theirs.files.create(picture)
    const list = async (query: OpenAI.FileListParams) => {
      const found: string[] = []
      for await (const { filename } of theirs.files.list(query)) found.push(filename)
      return found
    }
    expect(await list({ limit: 1, order: 'asc' })).toEqual([...names, 'four.txt'])
    expect(await list({ limit: 3 })).toEqual(['four.txt', ...names.toReversed()])
    expect(await list({ purpose: 'vision' })).toEqual(['four.txt'])
    const page = await theirs.files.list({ limit: 3 })
    expect(page).toMatchObject({ has_more: true })
  })

  it('require a valid purpose, and a refusal leaves nothing behind', async () => {
    const count = async () =>
      Number((await chat.app.deps.db.selectFrom('documents').select('id').execute()).length)
    const before = await count()
    const file = await toFile(Buffer.from('x'), 'x.jsonl')
    for (const purpose of ['fine-tune', 'batch'] as const)
      await expect(client.files.create({ file, purpose })).rejects.toMatchObject({
        ...{ status: 422, code: 'invalid', param: 'purpose', type: 'invalid_request_error' },
      })
    expect(await count()).toBe(before)
  })

  it('are subject to the rights of the key and its user', async () => {
    const { id } = await upload('mine.txt')
    const stranger = await aClient(all, await aUser(chat.app))
    for (const call of [
      () => stranger.files.retrieve(id),
      () => stranger.files.content(id),
      () => stranger.files.delete(id),
    ])
      await expect(call()).rejects.toMatchObject({ status: 403, code: 'forbidden' })
    const reading = await aClient(['documents.read'])
    expect(await reading.files.retrieve(id)).toMatchObject({ id })
    await expect(reading.files.delete(id)).rejects.toMatchObject({ status: 403 })
    await expect(upload('no.txt', 'no', reading)).rejects.toMatchObject({ status: 403 })
    for (const odd of ['file-x', "x' or 1=1", 'file-00000000-0000-4000-8000-000000000000'])
      await expect(client.files.retrieve(odd), odd).rejects.toMatchObject({ status: 404 })
  })

  it('reach a model as text, by id or inline [PG-02]', async () => {
    const { id } = await upload('lease.txt')
    const content = [
      { type: 'text' as const, text: 'How much?' },
      { type: 'file' as const, file: { file_id: id } },
    ]
    chat.model.reply([says('4 200 euros.')])
    await client.chat.completions.create({ ...ask, messages: [{ role: 'user', content }] })
    expect(JSON.stringify(chat.model.requests.at(-1)?.messages)).toContain(RENT)
    chat.model.reply([says('4 200 euros.')])
    const file_data = `data:text/plain;base64,${Buffer.from('The door is green.').toString('base64')}`
    await client.responses.create({
      ...ask,
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'Colour?' },
            { type: 'input_file', file_data, filename: 'door.txt' },
            { type: 'input_file', file_id: id },
          ],
        },
      ],
    })
    const told = JSON.stringify(chat.model.requests.at(-1)?.messages)
    expect(told).toContain('The door is green.')
    expect(told).toContain(RENT)
  })

  it('are used by an assistant to answer [PG-02]', async () => {
    const { body } = await chat.call('POST', '/assistants', {
      ...{ name: 'Lease reader', system_prompt: 'Be short.', status: 'published' },
      ...{ model_name: ask.model, agent_type: 'single_turn' },
    })
    const { id } = await upload('lease.txt')
    await processed(id)
    chat.model.forget()
    chat.model.always(() => [says('Much.')])
    const content = [
      { type: 'text' as const, text: 'What is the rent of the warehouse?' },
      { type: 'file' as const, file: { file_id: id } },
    ]
    const model = `assistant/${body.id}`
    await client.chat.completions.create({ model, messages: [{ role: 'user', content }] })
    expect(JSON.stringify(chat.model.requests.map(({ messages }) => messages))).toContain('4 200 euros')
    const inside = [{ type: 'file' as const, file: { file_data: 'aGk=', filename: 'hi.txt' } }]
    await expect(
      client.chat.completions.create({ model, messages: [{ role: 'user', content: inside }] }),
    ).rejects.toMatchObject({ status: 422, message: expect.stringContaining('/v1/files') })
  })

  it('of other users, or without the documents scope, reach no model', async () => {
    const stranger = await aReader(chat.app, chat.url)
    const { body } = await stranger.upload({ name: 'secret.txt', content: 'The code is 1234.' })
    const call = (of: OpenAI, file_id: string) =>
      of.chat.completions.create({
        ...ask,
        messages: [{ role: 'user', content: [{ type: 'file', file: { file_id } }] }],
      })
    const before = chat.model.requests.length
    await expect(call(client, `file-${body.id}`)).rejects.toMatchObject({ status: 403 })
    const { id } = await upload('mine.txt')
    await expect(call(await aClient(['chat']), id)).rejects.toMatchObject({ status: 403 })
    expect(chat.model.requests).toHaveLength(before)
  })
})
