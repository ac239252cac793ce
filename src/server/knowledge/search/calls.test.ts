import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aReader, type Reader } from '#tests/documents.ts'
import { JoinStrategy } from '../../../shared/knowledge/search/search.ts'

let app: TestApp
let ada: Reader
let lease: string
beforeAll(async () => {
  app = await startApp({ config: { ATRIUM_EMBEDDING_MODEL: 'atrium/lexical' } })
  ada = await aReader(app, `${await app.listen()}/api/v1`)
  lease = await read('lease.txt', 'The rent of the warehouse in Lyon is 4 200 euros a month.')
  await read(
    'office.txt',
    'The rent of an office is due in March, with the charges, at the end of each quarter.',
  )
  await read('menu.txt', 'On Tuesday the warehouse serves soup with leeks.')
})
afterAll(() => app.close())

async function read(name: string, content: string): Promise<string> {
  const { body } = await ada.upload({ name, content })
  await ada.processed(body.id)
  return body.id
}

const search = (more: object) =>
  ada.call('POST', '/search_and_rerank/search_and_rerank', { query: 'rent of the warehouse', ...more })
async function idsOf(more: object): Promise<string[]> {
  const { status, body } = await search(more)
  expect([more, status]).toEqual([more, 200])
  return body.objects.map(({ id }: { id: string }) => id)
}

describe('search routes', () => {
  it('return name and model of a collection’s vectors, and whether it has several [SV-77]', async () => {
    const { status, body } = await ada.call('GET', '/search/vector-info/Documents')
    expect([status, body]).toEqual([
      200,
      {
        vector_fields: [
          {
            name: 'default',
            model: 'atrium/lexical',
            dimensions: expect.any(Number),
            is_multi_vector: false,
          },
        ],
        is_multi_vector: false,
      },
    ])
    expect((await ada.call('GET', '/search/vector-info/Nowhere')).status).toBe(404)
  })

  it('return the same rerankers with descriptions in both lists [SV-78, SV-79]', async () => {
    const [listed, available] = await Promise.all(
      ['rerankers', 'available'].map((name) => ada.call('GET', `/reranking/${name}`)),
    )
    expect(available).toEqual(listed)
    const { rerankers } = listed?.body ?? {}
    expect(rerankers.map(({ name }: { name: string }) => name)).toContain('cosine_similarity_reranker')
    for (const one of rerankers)
      expect(one).toEqual({ name: expect.stringMatching(/./), description: expect.stringMatching(/./) })
  })

  it('return objects, search type and reranking, and apply every request field [SV-80]', async () => {
    const { body } = await search({ reranker_name: 'cosine_similarity_reranker', top_n: 1 })
    expect(body).toMatchObject({
      search_type: 'hybrid',
      objects: [{ properties: { document_id: lease } }],
      reranking: {
        ...{ status: 'done', reranker: 'cosine_similarity_reranker' },
        ...{ original_count: 3, reranked_count: 1 },
      },
    })
    const all = await idsOf({})
    expect(all).toHaveLength(3)
    expect(await idsOf({ offset: 0, collection_name: 'Documents' })).toEqual(all)
    expect(await idsOf({ limit: 1 })).toEqual(all.slice(0, 1))
    expect(await idsOf({ offset: 1 })).toEqual(all.slice(1))
    const filters = [{ property: 'document_id', operator: 'equal', value: lease }]
    expect((await search({ filters })).body.objects).toMatchObject([{ properties: { document_id: lease } }])
    for (const join_strategy of JoinStrategy.options) {
      const target_weights = ['relative_score', 'manual_weights'].includes(join_strategy) ? [1] : undefined
      expect(await idsOf({ target_vectors: ['default'], join_strategy, target_weights })).toEqual(all)
    }
    const typeOf = async (more: object) => (await search(more)).body.search_type
    expect(await typeOf({ use_bm25: true })).toBe('keyword')
    expect(await typeOf({ hybrid_search: false })).toBe('vector')
    const [byWords, byVectors] = await Promise.all([0, 1].map((hybrid_alpha) => search({ hybrid_alpha })))
    const scoresOf = (found: typeof byWords) =>
      found?.body.objects.map(({ score }: { score: number }) => score)
    expect(scoresOf(byWords)).not.toEqual(scoresOf(byVectors))
    const reranked = { reranker_name: 'cosine_similarity_reranker', reranker_parameters: { threshold: 1 } }
    expect(await idsOf(reranked)).toEqual([])
    expect((await search({ collection_name: 'Nowhere' })).status).toBe(404)
    const wrong = [{ property: 'document_id', operator: 'above', value: lease }]
    expect((await search({ filters: wrong })).status).toBe(422)
  })
})
