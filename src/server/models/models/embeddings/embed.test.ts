import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import type { ConnectionKind } from '#shared/models/connections/provider-form.ts'
import { ModelError } from '../port.ts'
import { embed } from './embed.ts'

type Body = Record<string, unknown>
type Seen = { path: string; headers: Record<string, unknown>; body: Body }

let server: Server
afterEach(() => new Promise((resolve) => server.close(resolve)))

/** Starts a server that answers every request with the result of `answerTo`. */
async function serve(answerTo: (body: Body) => { status?: number; body: unknown }) {
  const seen: Seen[] = []
  server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const body = JSON.parse(text)
    seen.push({ path: request.url ?? '', headers: request.headers, body })
    const { status = 200, body: said } = answerTo(body)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(said))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const ask = (kind: ConnectionKind, texts: string[], { path = '', model = 'm' } = {}) =>
    embed({ kind, provider: 'x', base_url: base + path, api_key: 'key' }, model, texts, signal).catch(
      (error) => {
        if (error instanceof ModelError) return error.kind
        throw error
      },
    )
  return { seen, ask, base }
}
const { signal } = new AbortController()
const vectors = [
  [0.25, -1],
  [0.5, 1e-7],
]

describe('vectors in other forms', () => {
  const packed = (vector: number[]) => Buffer.from(new Float32Array(vector).buffer).toString('base64')
  const numbers = [
    [0.25, -1],
    [0.5, 2],
  ]
  it.each<[string, object]>([
    ['in base64', { data: numbers.map((one, index) => ({ index, embedding: packed(one) })) }],
    ['in lists of one', { data: numbers.map((one, index) => ({ index, embedding: [one] })) }],
    ['without objects', { data: numbers }],
    ['under another name', { embeddings: numbers }],
  ])('are read %s', async (_, body) => {
    const { ask } = await serve(() => ({ body }))
    expect(await ask('compatible', ['a', 'b'], { path: '/v1' })).toEqual(numbers)
  })

  it('are refused when they are cut', async () => {
    const { ask } = await serve(() => ({ body: { data: [{ index: 0, embedding: 'AAAA' }] } }))
    expect(await ask('compatible', ['a'], { path: '/v1' })).toBe('invalid_answer')
  })
})

describe('the usage of embeddings', () => {
  it.each([
    ['compatible', '/v1', { data: [{ index: 0, embedding: [1] }], usage: { prompt_tokens: 5 } }, 5],
    ['compatible', '/v1', { data: [{ index: 0, embedding: [1] }], usage: { total_tokens: 6 } }, 6],
    ['compatible', '/v1', { data: [{ index: 0, embedding: [1] }] }, null],
    ['cohere', '/v2', { embeddings: { float: [[1]] }, meta: { billed_units: { input_tokens: 7 } } }, 7],
    ['google', '/v1beta', { embeddings: [{ values: [1] }] }, null],
    [
      ...(['google', '/publishers/google'] as const),
      { predictions: [{ embeddings: { values: [1], statistics: { token_count: 8 } } }] },
      8,
    ],
  ] as const)('is reported as %s counts it (%s)', async (kind, path, body, tokens) => {
    const { base } = await serve(() => ({ body }))
    const told: unknown[] = []
    const endpoint = { kind, provider: 'x', base_url: base + path, api_key: 'key' }
    await embed(endpoint, 'm', ['a'], signal, 'passage', (...used) => told.push(used))
    expect(told).toEqual([[tokens, ['a']]])
  })
})

describe('embed', () => {
  it('restores the order of vectors from an OpenAI-compatible server', async () => {
    const data = vectors.map((embedding, index) => ({ index, embedding })).reverse()
    const { seen, ask } = await serve(() => ({ body: { data } }))
    expect(await ask('compatible', ['a', 'b'], { path: '/v1' })).toEqual(vectors)
    expect(seen[0]).toMatchObject({
      path: '/v1/embeddings',
      headers: { authorization: 'Bearer key' },
      body: { model: 'm', input: ['a', 'b'] },
    })
  })

  it('embeds with Cohere', async () => {
    const { seen, ask } = await serve(() => ({ body: { embeddings: { float: vectors } } }))
    expect(await ask('cohere', ['a', 'b'])).toEqual(vectors)
    expect(seen[0]).toMatchObject({ path: '/embed', body: { texts: ['a', 'b'] } })
  })

  it('embeds with Google in one batch', async () => {
    const { seen, ask } = await serve(() => ({ body: { embeddings: vectors.map((values) => ({ values })) } }))
    expect(await ask('google', ['a', 'b'])).toEqual(vectors)
    expect(seen[0]).toMatchObject({
      path: '/models/m:batchEmbedContents',
      headers: { 'x-goog-api-key': 'key' },
      body: { requests: [{ model: 'models/m', content: { parts: [{ text: 'a' }] } }, {}] },
    })
  })

  it('embeds with Vertex AI, one text per request for Gemini', async () => {
    const { seen, ask } = await serve(({ instances }) => ({
      body: { predictions: (instances as unknown[]).map((_, i) => ({ embeddings: { values: vectors[i] } })) },
    }))
    const path = '/v1/projects/p/locations/l/publishers/google'
    expect(await ask('google', ['a', 'b'], { path })).toEqual(vectors)
    expect(seen[0]).toMatchObject({
      path: `${path}/models/m:predict`,
      body: { instances: [{ content: 'a' }, { content: 'b' }] },
    })
    await ask('google', ['a', 'b'], { path, model: 'gemini-embedding-001' })
    expect(seen.slice(1).map(({ body }) => body.instances)).toEqual([[{ content: 'a' }], [{ content: 'b' }]])
  })

  it('splits texts into as many requests as needed', async () => {
    const texts = Array.from({ length: 200 }, (_, i) => `text ${i}`)
    const { seen, ask } = await serve(({ texts }) => ({
      body: { embeddings: { float: (texts as string[]).map((text) => [Number(text.slice(5))]) } },
    }))
    expect(await ask('cohere', texts)).toEqual(texts.map((_, i) => [i]))
    expect(seen.map(({ body }) => (body.texts as string[]).length)).toEqual([96, 96, 8])
  })
})

describe('an answer without embeddings', () => {
  it.each([
    ['too few vectors', { data: [{ embedding: [1] }] }],
    ['no vectors', { error: 'none' }],
    ['a malformed vector', { data: [{ embedding: [1] }, { embedding: 'AAAA' }] }],
    ['vectors of several lengths', { data: [{ embedding: [1] }, { embedding: [1, 2] }] }],
    ['no JSON object', null],
  ])('is refused: %s', async (_, body) => {
    const { ask } = await serve(() => ({ body }))
    expect(await ask('openai', ['a', 'b'])).toBe('invalid_answer')
  })

  it('names the kind of failure for a refusal, a provider without embeddings and an unreachable one', async () => {
    const { seen, ask } = await serve(() => ({ status: 401, body: { error: { message: 'no' } } }))
    expect(await ask('openai', ['a'])).toBe('unauthorized')
    expect(await ask('anthropic', ['a'])).toBe('not_available')
    expect(seen).toHaveLength(1)
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    expect(await ask('openai', ['a'])).toBe('unreachable')
  })
})
