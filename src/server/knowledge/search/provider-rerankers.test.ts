import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aReader, type Reader } from '#tests/documents.ts'

type Rerank = { model: string; query: string; documents: string[] }

/** The provider's next response. */
let answer: (response: ServerResponse, asked: Rerank) => void
const provider = createServer(async (request, response) => {
  if (request.url === '/v1/models')
    return response.end(JSON.stringify({ data: [{ id: 'chat-1' }, { id: 'my-reranker' }] }))
  let text = ''
  for await (const chunk of request) text += chunk
  // The server also asks local servers for their context windows.
  if (text === '') return response.writeHead(404).end()
  answer(response, JSON.parse(text))
})

let app: TestApp
let ada: Reader
beforeAll(async () => {
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve))
  app = await startApp({
    config: {
      ...{ ATRIUM_EMBEDDING_MODEL: 'atrium/lexical', ATRIUM_LIMIT_RERANK_SECONDS: '4' },
      ...{ ATRIUM_COMPATIBLE_NAME: 'near' },
      ATRIUM_COMPATIBLE_URL: `http://127.0.0.1:${(provider.address() as AddressInfo).port}/v1`,
    },
  })
  ada = await aReader(app, `${await app.listen()}/api/v1`)
  for (const [name, content] of [
    ['one.txt', 'The rent is due in March.'],
    ['two.txt', 'The rent and the rent again: rent.'],
  ] as const)
    await ada.processed((await ada.upload({ name, content })).body.id)
})
afterAll(async () => {
  await app.close()
  provider.closeAllConnections()
  provider.close()
})

async function search(reranker_name: string | null) {
  const request = { query: 'when is the rent due', use_bm25: true, reranker_name }
  const { status, body } = await ada.call('POST', '/search_and_rerank/search_and_rerank', request)
  expect(status).toBe(200)
  const names = body.objects.map((one: { properties: { file_name: string } }) => one.properties.file_name)
  return { names, reranking: body.reranking }
}
const json = (value: unknown) => (response: ServerResponse) =>
  void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))

describe('rerankers of a provider', () => {
  it('are listed with the built-in ones, without other models of the provider', async () => {
    const { body } = await ada.call('GET', '/reranking/rerankers')
    const names = body.rerankers.map(({ name }: { name: string }) => name)
    expect(names).toContain('near/my-reranker')
    expect(names).not.toContain('near/chat-1')
    const chats = (await app.deps.models.list()).map(({ id }) => id)
    expect(chats).toContain('near/chat-1')
    expect(chats).not.toContain('near/my-reranker')
  })

  it('reorder the hits', async () => {
    const { names: asFound } = await search(null)
    let seen: Rerank | undefined
    answer = (response, asked) => {
      seen = asked
      // Ranks the worst first.
      const results = asked.documents.map((_, index) => ({ index, relevance_score: (index + 1) / 10 }))
      json({ results })(response)
    }
    const { names, reranking } = await search('near/my-reranker')
    expect(names).toEqual(asFound.toReversed())
    expect(reranking).toMatchObject({ status: 'done', reranker: 'near/my-reranker', detail: null })
    expect(seen).toMatchObject({ model: 'my-reranker', query: 'when is the rent due' })
    expect(seen?.documents[0]).toContain('\n')
  })

  it('are charged to the searching user, by the provider’s token count or an estimate', async () => {
    const booked = async () => {
      const { body } = await ada.call('GET', '/users/me/billing?limit=50')
      return body.items.filter((one: { model_name: string }) => one.model_name === 'near/my-reranker')
    }
    const before = await booked()
    const results = [0, 1].map((index) => ({ index, relevance_score: 0.5 }))
    answer = json({ results, usage: { total_tokens: 77 } })
    await search('near/my-reranker')
    const [entry, ...rest] = await booked()
    expect(rest).toEqual(before)
    expect(entry).toMatchObject({ kind: 'usage', reason: 'documents', amount: 0, unpriced: true })
    expect([entry.input_tokens, entry.output_tokens]).toEqual([77, 0])
    answer = json({ results })
    await search('near/my-reranker')
    expect((await booked())[0].input_tokens).toBeGreaterThan(10)
    // A failed call is not charged.
    const count = (await booked()).length
    answer = (response) => void response.writeHead(503).end('{}')
    await search('near/my-reranker')
    await search('cosine_similarity_reranker')
    expect(await booked()).toHaveLength(count)
  })

  it.each<[string, typeof answer, string]>([
    [
      'returns 503',
      (response) => void response.writeHead(503).end('{}'),
      'The model provider has a problem.',
    ],
    ['drops the connection', (response) => void response.destroy(), 'The model provider cannot be reached.'],
    ['hangs', () => {}, 'It did not answer within 4 s.'],
    ['returns invalid JSON', (response) => void response.end('soup'), 'The model provider sent something'],
    [
      'returns wrong indexes',
      json({ results: [0, 7].map((index) => ({ index, relevance_score: 0.5 })) }),
      'The model provider sent something that is no answer: a score is of no text that was sent',
    ],
  ])('are skipped with a reason when the provider %s [CX-13]', async (_, wrong, why) => {
    const { names: asFound } = await search(null)
    answer = wrong
    const { names, reranking } = await search('near/my-reranker')
    expect(names).toEqual(asFound)
    expect(reranking).toMatchObject({ status: 'skipped', reranker: 'near/my-reranker' })
    expect(reranking.detail).toContain(why)
  })
})
