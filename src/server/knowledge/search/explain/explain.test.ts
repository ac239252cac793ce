import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aReader, type Reader } from '#tests/documents.ts'
import { findLibrary } from '../../collections/collections.ts'

let app: TestApp
let base: string
let ada: Reader
/** Chunk ids by document name. */
const chunks: Record<string, string> = {}

beforeAll(async () => {
  app = await startApp({ config: { ATRIUM_EMBEDDING_MODEL: 'atrium/lexical' } })
  base = `${await app.listen()}/api/v1`
  ada = await aReader(app, base)
  const texts = {
    'one.txt': 'The rent of the warehouse is due in March.',
    'two.txt': 'The rent again, and the rent: rent.',
    'menu.txt': 'On Tuesday the canteen serves soup with leeks.',
    'rest.txt': 'The rent of a bicycle.',
    'more.txt': 'A lease has a rent and a term.',
    'last.txt': 'Rent is what a tenant pays.',
  }
  for (const [name, content] of Object.entries(texts)) {
    const { body } = await ada.upload({ name, content })
    await ada.processed(body.id)
    chunks[name] = (await ada.call('GET', `/documents/${body.id}/chunks`)).body.chunks[0].id
  }
})
afterAll(() => app.close())

const query = 'rent of the warehouse'
const explain = (name: string, more = {}, who = ada) =>
  who.call('POST', '/search_and_rerank/explain', { query, limit: 5, chunk_id: chunks[name], ...more })
const search = async (more = {}) => {
  const { body } = await ada.call('POST', '/search_and_rerank/search_and_rerank', {
    query,
    limit: 5,
    ...more,
  })
  return body.objects
}
type Stage = { stage: string; rank: number | null; score: number | null; of: number }
const stage = ({ body }: { body: { stages: Stage[] } }, name: string) =>
  body.stages.find((one) => one.stage === name)

describe('explainSearch', () => {
  it('returns rank and score in every stage, equal to those of the search [CX-15]', async () => {
    const way = { reranker_name: 'lexical_reranker', top_n: 2 }
    const [first, second] = await search(way)
    const found = await explain(first.properties.file_name, way)
    expect(found.body).toMatchObject({ outcome: 'returned', reranker: 'lexical_reranker' })
    expect(found.body.stages.map(({ stage }: Stage) => stage)).toEqual([
      ...['vector', 'keyword', 'search', 'reranking'],
    ])
    expect(stage(found, 'vector')).toMatchObject({ rank: 1, score: first.certainty, of: 6 })
    expect(stage(found, 'keyword')?.score).toBe(first.keyword_score)
    expect(stage(found, 'search')).toMatchObject({ rank: first.found_rank, score: first.score })
    expect(stage(found, 'reranking')).toEqual({
      ...{ stage: 'reranking', rank: 1, score: first.rerank_score, of: 5 },
    })
    expect(stage(await explain(second.properties.file_name, way), 'reranking')?.rank).toBe(2)
    const third = (await search({ ...way, top_n: 5 }))[2].properties.file_name
    expect((await explain(third, way)).body.outcome).toBe('beyond_top')
    const strict = { ...way, top_n: 5, reranker_parameters: { threshold: 0.999 } }
    expect((await explain(third, strict)).body.outcome).toBe('below_threshold')
  })

  it('names the stage that excluded the passage [CX-15]', async () => {
    // Five passages contain the word; the soup ranks sixth.
    const late = await explain('menu.txt')
    expect(late.body).toMatchObject({ outcome: 'beyond_limit', reranker: null })
    expect(stage(late, 'vector')).toMatchObject({ rank: 6, of: 6 })
    expect(stage(late, 'keyword')).toMatchObject({ rank: null, score: null })
    expect(stage(late, 'reranking')).toBeUndefined()
    const words = await explain('menu.txt', { use_bm25: true, hybrid_search: false })
    expect(words.body.outcome).toBe('not_found')
    expect(words.body.stages.map((one: Stage) => one.stage)).toEqual(['keyword', 'search'])
    const filters = [{ property: 'file_name', operator: 'equal', value: 'two' }]
    expect((await explain('one.txt', { filters })).body).toMatchObject({
      ...{ outcome: 'out_of_scope', stages: [] },
    })
    const library = await findLibrary(app.deps)
    if (!library) throw new Error('there is no library')
    const table = app.deps.vectors.table(library.table_name, library.spec)
    await table.remove({ column: 'id', equals: String(chunks['last.txt']) })
    expect((await explain('last.txt')).body).toMatchObject({ outcome: 'not_indexed', stages: [] })
  })

  it('refuses passages that the user may not read', async () => {
    const eve = await aReader(app, base)
    const { status, body } = await explain('one.txt', {}, eve)
    expect([status, body.detail]).toEqual([403, 'You do not have access to this document.'])
    const gone = await explain('one.txt', { chunk_id: '00000000-0000-4000-8000-000000000000' })
    expect([gone.status, gone.body.detail]).toEqual([404, 'Chunk not found'])
  })
})
