import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { encode } from 'gpt-tokenizer/esm/encoding/cl100k_base'
import OpenAI from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { anApiKey } from '#tests/api-key.ts'
import { startApp, type TestApp } from '#tests/app.ts'
import { aUser } from '#tests/builders.ts'

type Asked = { input: string[]; dimensions?: number; encoding_format?: string }

let app: TestApp
let provider: Server
let client: OpenAI
const asked: Asked[] = []
/** How the provider answers; by default with two numbers per text, or with as many as it is asked for. */
let answer: (body: Asked, response: ServerResponse) => void
let cut = 0

beforeAll(async () => {
  provider = createServer(async (request, response) => {
    response.setHeader('content-type', 'application/json')
    if (!request.url?.endsWith('/embeddings'))
      return response.end(JSON.stringify({ data: [{ id: 'chatty' }, { id: 'nomic-embed-text' }] }))
    let text = ''
    for await (const chunk of request) text += chunk
    response.once('close', () => {
      if (!response.writableEnded) cut += 1
    })
    const body = JSON.parse(text) as Asked
    asked.push(body)
    answer(body, response)
  })
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/v1`
  app = await startApp({ config: { ATRIUM_COMPATIBLE_URL: url, ATRIUM_COMPATIBLE_NAME: 'house' } })
  const user = await aUser(app)
  const { secret } = await anApiKey(app, user, { scopes: ['chat'] })
  client = new OpenAI({ apiKey: secret, baseURL: `${await app.listen()}/v1`, maxRetries: 0 })
})
afterAll(async () => {
  provider.closeAllConnections()
  await app.close()
  provider.close()
})
beforeEach(() => {
  asked.splice(0)
  answer = ({ input, dimensions = 2 }, response) =>
    response.end(
      JSON.stringify({
        data: input.map((_, index) => ({ index, embedding: new Array(dimensions).fill(0.5) })),
        usage: { prompt_tokens: 7 },
      }),
    )
})

const model = 'house/nomic-embed-text'

describe('embeddings of the OpenAI wire', () => {
  it('pass the wanted dimensions on to the provider [PG-18]', async () => {
    const { data } = await client.embeddings.create({ model, input: ['a', 'b'], dimensions: 5 })
    expect(data.map(({ embedding }) => embedding.length)).toEqual([5, 5])
    expect(asked).toMatchObject([{ input: ['a', 'b'], dimensions: 5 }])
  })

  it('are refused in other dimensions than a model has [PG-18]', async () => {
    answer = (_, response) => response.end(JSON.stringify({ data: [{ index: 0, embedding: [1, 2, 3] }] }))
    for (const [name, has] of [
      [model, 3],
      ['atrium/lexical', 384],
    ] as const)
      await expect(
        client.embeddings.create({ model: name, input: 'a', dimensions: 5 }),
      ).rejects.toMatchObject({
        ...{ status: 400, code: 'invalid_request_error' },
        message: `400 The vectors of ${name} have ${has} dimensions, not 5.`,
      })
    const own = { model: 'atrium/lexical', input: 'a', dimensions: 384 }
    expect((await client.embeddings.create(own)).data[0]?.embedding).toHaveLength(384)
  })

  it('take tokens of cl100k_base, one list or several [PG-18]', async () => {
    const words = ['The rent is due.', 'Le loyer est dû : 4 200 €.']
    const lists = words.map((text) => encode(text))
    await client.embeddings.create({ model, input: lists })
    await client.embeddings.create({ model, input: lists[0]! })
    expect(asked.map(({ input }) => input)).toEqual([words, [words[0]]])
    for (const wrong of [[1, 999_999], [-1]]) {
      const unknown = client.embeddings.create({ model, input: [wrong] })
      await expect(unknown).rejects.toMatchObject({ status: 400, param: 'input' })
    }
  })

  it('take as many tokens as one request of the official clients holds', async () => {
    const list = new Array(8_191).fill(15339)
    const { data } = await client.embeddings.create({ model, input: new Array(30).fill(list) })
    expect(data).toHaveLength(30)
  })

  it('are numbers or base64 with the same values', async () => {
    const floats = await client.embeddings.create({ model, input: 'a', encoding_format: 'float' })
    const packed = await client.embeddings.create({ model, input: 'a', encoding_format: 'base64' })
    const bytes = Buffer.from(packed.data[0]!.embedding as unknown as string, 'base64')
    expect([0, 4].map((at) => bytes.readFloatLE(at))).toEqual(floats.data[0]!.embedding)
  })

  it('are no longer computed when the caller hangs up', async () => {
    answer = () => undefined
    const left = new AbortController()
    client.embeddings.create({ model, input: 'a' }, { signal: left.signal }).catch(() => undefined)
    await expect.poll(() => asked.length).toBe(1)
    left.abort()
    await expect.poll(() => cut).toBe(1)
  })

  it('have their models in the list of models [PG-18]', async () => {
    const { data } = await client.models.list()
    const ids = data.map(({ id }) => id)
    expect(ids).toEqual(expect.arrayContaining(['house/chatty', model, 'atrium/lexical']))
    expect(ids.filter((id) => id === model)).toHaveLength(1)
    expect(await client.models.retrieve('atrium/gte-small')).toMatchObject({ owned_by: 'atrium' })
  })
})
