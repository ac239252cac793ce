import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import type { ConnectionKind } from '#shared/models/connections/provider-form.ts'
import { ModelError, type Usage } from '../port.ts'
import { providerOf } from '../provider/providers.ts'
import { rerank } from './rerank.ts'

let server: Server | undefined
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})
const wireOf = (kind: ConnectionKind, base_url: string) => providerOf(kind).rerank?.(base_url)
const costOf = (one: { kind: ConnectionKind; base_url: string }, model: string, usage: Usage) =>
  providerOf(one.kind).rerankCost?.(one.base_url, model, usage)
const never = new AbortController().signal
const texts = ['soup', 'the rent', 'a cat']

/** Starts a server that gives every request the same answer. */
async function serve(status: number, said: string) {
  const seen: { path: string | undefined; key: string | undefined; body: Record<string, unknown> }[] = []
  server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    seen.push({ path: request.url, key: request.headers.authorization, body: JSON.parse(text) })
    response.writeHead(status, { 'content-type': 'application/json' }).end(said)
  })
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
  const base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  const ask = (kind: ConnectionKind = 'compatible', signal = never) =>
    rerank({ kind, provider: 'x', base_url, api_key: 'key' }, 'm', 'rent?', texts, signal).catch((error) => {
      if (error instanceof ModelError) return error.kind
      throw error
    })
  return { ask, seen, base_url }
}
const scored = (...scores: [number, number][]) =>
  JSON.stringify({ results: scores.map(([index, relevance_score]) => ({ index, relevance_score })) })

describe('the usage of a rerank call', () => {
  it.each([
    ['cohere', { meta: { billed_units: { search_units: 3 } } }, { tokens: null, searches: 3 }],
    ['compatible', { usage: { total_tokens: 41 } }, { tokens: 41, searches: null }],
    ['compatible', {}, { tokens: null, searches: null }],
  ] as const)('is reported as %s counts it', async (kind, more, used) => {
    const results = texts.map((_, index) => ({ index, relevance_score: 0.5 }))
    const { base_url } = await serve(200, JSON.stringify({ results, ...more }))
    const told: unknown[] = []
    const endpoint = { kind, provider: 'x', base_url, api_key: 'key' }
    await rerank(endpoint, 'm', 'rent?', texts, never, (one) => told.push(one))
    expect(told).toEqual([used])
  })

  it('is charged per search at Cohere, per token at Voyage, and has no price elsewhere', () => {
    const usage = { output_tokens: 0, cached_tokens: 0, reasoning_tokens: 0, estimated: false }
    const cohere = { kind: 'cohere' as const, base_url: 'https://api.cohere.com/v2' }
    const at = (base_url: string) => ({ kind: 'compatible' as const, base_url })
    const searched = { ...usage, input_tokens: 0, searches: 3 }
    expect(costOf(cohere, 'rerank-v3.5', searched)).toBeCloseTo(0.006)
    expect(costOf(cohere, 'rerank-v9', searched)).toBeNull()
    const read = { ...usage, input_tokens: 1_000_000, searches: 1 }
    expect(costOf(at('https://api.voyageai.com/v1'), 'rerank-2.5', read)).toBeCloseTo(0.05)
    expect(costOf(at('https://voyageai.com.example/v1'), 'rerank-2.5', read)).toBeNull()
  })
})

describe('rerank', () => {
  it.each([
    ['cohere', { model: 'm', query: 'rent?', documents: texts, top_n: 3 }],
    ['compatible', { model: 'm', query: 'rent?', documents: texts, top_n: 3, return_documents: false }],
  ] as const)('restores the order of scores from %s', async (kind, body) => {
    const { ask, seen } = await serve(200, scored([1, 0.9], [2, 0.25], [0, 0]))
    expect(await ask(kind)).toEqual([0, 0.9, 0.25])
    expect(seen).toEqual([{ path: '/v1/rerank', key: 'Bearer key', body }])
  })

  it('recognizes Voyage and Jina by their addresses and knows their rerankers', () => {
    const endpoint = { provider: 'x', api_key: 'key' }
    const voyage = wireOf('compatible', 'https://api.voyageai.com/v1')
    const asked = voyage?.request('m', 'q', ['a'], { ...endpoint, base_url: 'https://api.voyageai.com/v1' })
    expect(asked).toMatchObject({
      url: 'https://api.voyageai.com/v1/rerank',
      body: { model: 'm', query: 'q', documents: ['a'], top_k: 1 },
    })
    expect(voyage?.read({ data: [{ index: 0, relevance_score: 0.5 }] })).toEqual([{ index: 0, score: 0.5 }])
    expect(voyage?.known).toContain('rerank-2.5')
    expect(wireOf('compatible', 'https://api.jina.ai/v1')?.known).not.toEqual([])
    expect(wireOf('compatible', 'https://notjina.ai/v1')?.known).toEqual([])
    for (const kind of ['openai', 'anthropic', 'google'] as const)
      expect(wireOf(kind, 'https://api.jina.ai/v1')).toBeUndefined()
  })

  it('converts raw scores to shares', async () => {
    const { ask } = await serve(200, scored([0, -8], [1, 3], [2, 0]))
    const rates = (await ask()) as number[]
    expect(rates.map((rate) => rate.toFixed(2))).toEqual(['0.00', '0.95', '0.50'])
  })
})

describe('an answer without scores', () => {
  it.each([
    ['a text that was not sent', scored([0, 0.1], [1, 0.2], [3, 0.3])],
    ['an index that is not a number', JSON.stringify({ results: [{ index: '0', relevance_score: 1 }] })],
    ['a text twice', scored([0, 0.1], [1, 0.2], [1, 0.3])],
    ['too few texts', scored([0, 0.1], [2, 0.2])],
    ['a malformed score', JSON.stringify({ results: [{ index: 0, relevance_score: 'high' }] })],
    ['an empty object', '{}'],
    ['a text instead of a list', JSON.stringify({ results: 'soup' })],
    ['a list of nulls', JSON.stringify({ results: [null, null, null] })],
    ['no JSON', '<html>'],
  ])('is refused: %s', async (_, said) => {
    const { ask } = await serve(200, said)
    expect(await ask()).toBe('invalid_answer')
  })

  it('names the kind of failure for a refusal, a provider without rerankers and an unreachable one', async () => {
    const { ask, seen } = await serve(503, '{"error":{"message":"busy"}}')
    expect(await ask()).toBe('overloaded')
    expect(await ask('anthropic')).toBe('not_available')
    expect(seen).toHaveLength(1)
    server?.closeAllConnections()
    await new Promise((resolve) => server?.close(resolve))
    expect(await ask()).toBe('unreachable')
  })
})
