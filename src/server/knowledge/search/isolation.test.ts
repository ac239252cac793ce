import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aReader, type Reader } from '#tests/documents.ts'
import { madeText, makeLibrary } from '#tests/made-library.ts'

const FOREIGN = 10_000
/** Words of a passage of somebody else, and of one of one's own. */
const query = madeText(17)

let app: TestApp
let ada: Reader
let eve: Reader
let theirs: { chunks: string[]; documents: string[] }
let own: string
let space: string
let chat: string
beforeAll(async () => {
  app = await startApp({ config: { ATRIUM_EMBEDDING_MODEL: 'atrium/lexical' } })
  const base = `${await app.listen()}/api/v1`
  ada = await aReader(app, base)
  eve = await aReader(app, base)
  await makeLibrary(app.deps, { people: [ada.user.id], documents: FOREIGN / 200, passages: 200 })
  const idsOf = async (table: 'chunks' | 'documents') => {
    const { rows } = await sql<{
      id: string
    }>`select id from ${sql.table(table)} order by id limit 20000`.execute(app.deps.db)
    return rows.map(({ id }) => id)
  }
  theirs = { chunks: await idsOf('chunks'), documents: await idsOf('documents') }
  const { body } = await eve.upload({ name: 'mine.txt', content: `${query}.` })
  await eve.processed(body.id)
  own = body.id
  space = (await ada.call('POST', '/workspaces', { name: 'Private' })).body.id
  chat = (await ada.call('POST', '/sessions', {})).body.id
}, 120_000)
afterAll(() => app.close())

const find = (more: object) =>
  eve.call('POST', '/search_and_rerank/search_and_rerank', { query, limit: 100, ...more })

/** Ids of all documents that an answer names, whatever the field. */
const documentsIn = (answer: unknown) =>
  new Set([...JSON.stringify(answer).matchAll(/"document_id":"([^"]+)"/g)].map(([, id]) => id))

/** What comes of the tool, executed by the stranger. */
async function searchByTool(inputs: object) {
  const { body } = await eve.call('POST', '/tools/document_search/execute', { inputs })
  const read = async () => (await eve.call('GET', `/tool-executions/${body.tool_execution_id}`)).body
  await expect.poll(async () => (await read()).finished_at, { timeout: 30_000 }).not.toBeNull()
  return read()
}

const ways = [
  ['all of them', {}],
  ['by words', { use_bm25: true }],
  ['by vectors', { hybrid_search: false }],
  ['further down', { offset: 1 }],
  ['far down', { offset: 10_000 }],
  ['by vectors alone in a hybrid', { hybrid_alpha: 1 }],
  ['by words alone in a hybrid', { hybrid_alpha: 0 }],
  [
    'by a named vector',
    { target_vectors: ['default'], join_strategy: 'manual_weights', target_weights: [1] },
  ],
  ['by another order', { reranker_name: 'cosine_similarity_reranker', top_n: 50 }],
  ['by a name', { filters: [{ property: 'file_name', operator: 'equal', value: 'Report' }] }],
  [
    'by a name that is a condition',
    { filters: [{ property: 'file_name', operator: 'equal', value: "%' or true --" }] },
  ],
  ['by a kind', { filters: [{ property: 'file_type', operator: 'equal', value: 'txt' }] }],
  ['by words that narrow', { query: `${query} title:Report type:txt workspace:Private` }],
  ['without its own', { query: `${query} -nobody` }],
] as const

describe(`a stranger beside ${FOREIGN} passages of somebody else`, () => {
  it.each(ways)('finds none of them: %s', async (_, more) => {
    const { status, body } = await find(more)
    expect(status).toBe(200)
    const documents = new Set(
      body.objects.map(({ properties }: { properties: { document_id: string } }) => properties.document_id),
    )
    expect([...documents].filter((id) => id !== own)).toEqual([])
    expect(body.documents).toBeLessThanOrEqual(1)
  })

  it.each([
    ['all of them', {}],
    ['by vectors', { hybrid_search: false }],
    ['by another order', { reranker_name: 'cosine_similarity_reranker' }],
    ['as JSON', { use_json_output: true }],
  ])('is answered from none of them: %s', async (_, more) => {
    const { status, body } = await eve.call('POST', '/rag/generate', {
      ...{ query, model: 'atrium/offline', limit: 50, top_n: 20, ...more },
    })
    expect(status).toBe(200)
    expect(documentsIn(body)).toEqual(new Set([own]))
    expect(body.search_results).toMatchObject({ total: 1, documents: 1 })
    const asked = await ada.call('POST', '/rag/generate', { query, model: 'atrium/offline', limit: 50 })
    expect(asked.body.search_results.total).toBe(50)
    expect(documentsIn(asked.body)).not.toContain(own)
  })

  it.each([
    ['documents of somebody else', () => ({ document_ids: theirs.documents.slice(0, 3) })],
    ['their own beside one of somebody else', () => ({ document_ids: [own, theirs.documents[0]] })],
    ['a workspace of somebody else', () => ({ workspace_ids: [space] })],
  ])('is refused by the tool what it names: %s', async (_, more) => {
    const { status, result, error } = await searchByTool({ query, ...more() })
    expect([status, result]).toEqual(['error', null])
    expect(error).toMatch(/^You do not have access to this (document|workspace)\.$/)
  })

  it('is answered from none of them by the tool', async () => {
    const { status, result } = await searchByTool({ query })
    expect(status).toBe('complete')
    expect(documentsIn(result)).toEqual(new Set([own]))
    expect(result.searched).toEqual({ documents: 1, passages: 1 })
  })

  it('is refused an answer from a chat or a workspace of somebody else', async () => {
    for (const more of [{ workspace_ids: [space] }, { chat_session_id: chat }])
      expect(
        (await eve.call('POST', '/rag/generate', { query, model: 'atrium/offline', ...more })).status,
      ).toBe(403)
  })

  it('finds what is their own meanwhile, and the owner finds theirs', async () => {
    expect((await find({})).body.objects).toHaveLength(1)
    const { body } = await ada.call('POST', '/search_and_rerank/search_and_rerank', { query, limit: 100 })
    expect(body.objects).toHaveLength(100)
  })

  it('finds none of them by the ids of their documents, alone or beside one of their own', async () => {
    for (const value of theirs.documents.slice(0, 10)) {
      const filter = { property: 'document_id', operator: 'equal', value }
      for (const filters of [[filter], [filter, { ...filter, value: own }]])
        expect((await find({ filters })).body.objects).toEqual([])
    }
  })

  it.each([
    ['a workspace', () => ({ workspace_ids: [space] })],
    ['a chat', () => ({ chat_session_id: chat })],
  ])('is refused %s of somebody else', async (_, more) => {
    expect((await find(more())).status).toBe(403)
  })

  it('opens none of them by guessing their ids', async () => {
    const guesses = [...theirs.chunks.slice(0, 50), ...theirs.documents.slice(0, 5)]
    for (const object_id of guesses)
      for (const collection_name of ['Documents', 'documents', 'Suppliers']) {
        const { status, body } = await eve.call('POST', '/vector_db/objects/by-id', {
          ...{ collection_name, object_id, include_vector: true },
        })
        expect([403, 404]).toContain(status)
        expect(body.object).toBeUndefined()
      }
    for (const object_id of ["' or true --", `${theirs.chunks[0]}' or 'a' = 'a`, '%']) {
      const { status } = await eve.call('POST', '/vector_db/objects/by-id', {
        collection_name: 'Documents',
        object_id,
      })
      expect(status).toBe(404)
    }
  })

  it('reads no chunks of their documents, nor one of them below a document of their own', async () => {
    for (const id of theirs.documents.slice(0, 5))
      expect((await eve.call('GET', `/documents/${id}/chunks`)).status).toBe(403)
    for (const id of theirs.chunks.slice(0, 10)) {
      expect((await eve.call('GET', `/documents/${theirs.documents[0]}/chunks/${id}`)).status).toBe(403)
      expect((await eve.call('GET', `/documents/${own}/chunks/${id}`)).status).toBe(404)
    }
  })

  it('may not list, delete or count objects, from the beginning or behind any cursor', async () => {
    const [first = '', ...others] = theirs.chunks
    const collection_name = 'Documents'
    for (const after of [undefined, '0', first, others.at(-1)]) {
      const { status } = await eve.call('POST', '/vector_db/objects', { collection_name, after, limit: 100 })
      expect(status).toBe(403)
    }
    const attempts = [
      ['DELETE', '/vector_db/chunks', { collection_name, chunk_id: first }],
      ['DELETE', '/vector_db/documents', { collection_name, object_id: theirs.documents[0] }],
      ['DELETE', '/vector_db/documents', { collection_name, all_objects: true }],
      ['GET', '/vector_db/collections', undefined],
      ['GET', '/vector_db/status', undefined],
    ] as const
    for (const [method, path, body] of attempts) expect((await eve.call(method, path, body)).status).toBe(403)
    const { body } = await ada.call('POST', '/vector_db/objects/by-id', { collection_name, object_id: first })
    expect(body.object.uuid).toBe(first)
  })
})
