import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aReader, type Reader } from '#tests/documents.ts'
import { madeText, makeLibrary } from '#tests/made-library.ts'

const FOREIGN = 10_000
/** The text of another user's passage, and of the stranger's own. */
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

/** Returns all document ids in a response. */
const documentsIn = (answer: unknown) =>
  new Set([...JSON.stringify(answer).matchAll(/"document_id":"([^"]+)"/g)].map(([, id]) => id))

/** Executes the search tool as the stranger and returns the result. */
async function searchByTool(inputs: object) {
  const { body } = await eve.call('POST', '/tools/document_search/execute', { inputs })
  const read = async () => (await eve.call('GET', `/tool-executions/${body.tool_execution_id}`)).body
  await expect.poll(async () => (await read()).finished_at, { timeout: 30_000 }).not.toBeNull()
  return read()
}

const ways = [
  ['without options', {}],
  ['by keywords', { use_bm25: true }],
  ['by vectors', { hybrid_search: false }],
  ['with an offset', { offset: 1 }],
  ['with a large offset', { offset: 10_000 }],
  ['hybrid with vectors only', { hybrid_alpha: 1 }],
  ['hybrid with keywords only', { hybrid_alpha: 0 }],
  [
    'by a named vector',
    { target_vectors: ['default'], join_strategy: 'manual_weights', target_weights: [1] },
  ],
  ['with a reranker', { reranker_name: 'cosine_similarity_reranker', top_n: 50 }],
  ['by file name', { filters: [{ property: 'file_name', operator: 'equal', value: 'Report' }] }],
  [
    'by SQL in a file name',
    { filters: [{ property: 'file_name', operator: 'equal', value: "%' or true --" }] },
  ],
  ['by file type', { filters: [{ property: 'file_type', operator: 'equal', value: 'txt' }] }],
  ['by search operators', { query: `${query} title:Report type:txt workspace:Private` }],
  ['with an excluded word', { query: `${query} -nobody` }],
] as const

describe(`a stranger among ${FOREIGN} passages of another user`, () => {
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
    ['without options', {}],
    ['by vectors', { hybrid_search: false }],
    ['with a reranker', { reranker_name: 'cosine_similarity_reranker' }],
    ['as JSON', { use_json_output: true }],
  ])('gets no answer from them: %s', async (_, more) => {
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
    ['documents of another user', () => ({ document_ids: theirs.documents.slice(0, 3) })],
    ['one of their own with one of another user', () => ({ document_ids: [own, theirs.documents[0]] })],
    ['a workspace of another user', () => ({ workspace_ids: [space] })],
  ])('cannot name in the tool: %s', async (_, more) => {
    const { status, result, error } = await searchByTool({ query, ...more() })
    expect([status, result]).toEqual(['error', null])
    expect(error).toMatch(/^You do not have access to this (document|workspace)\.$/)
  })

  it('gets no answer from them with the tool', async () => {
    const { status, result } = await searchByTool({ query })
    expect(status).toBe('complete')
    expect(documentsIn(result)).toEqual(new Set([own]))
    expect(result.searched).toEqual({ documents: 1, passages: 1 })
  })

  it('gets no answer from a chat or workspace of another user', async () => {
    for (const more of [{ workspace_ids: [space] }, { chat_session_id: chat }])
      expect(
        (await eve.call('POST', '/rag/generate', { query, model: 'atrium/offline', ...more })).status,
      ).toBe(403)
  })

  it('finds their own passages, and the owner finds the others', async () => {
    expect((await find({})).body.objects).toHaveLength(1)
    const { body } = await ada.call('POST', '/search_and_rerank/search_and_rerank', { query, limit: 100 })
    expect(body.objects).toHaveLength(100)
  })

  it('finds none of them by document id, alone or with one of their own', async () => {
    for (const value of theirs.documents.slice(0, 10)) {
      const filter = { property: 'document_id', operator: 'equal', value }
      for (const filters of [[filter], [filter, { ...filter, value: own }]])
        expect((await find({ filters })).body.objects).toEqual([])
    }
  })

  it.each([
    ['a workspace', () => ({ workspace_ids: [space] })],
    ['a chat', () => ({ chat_session_id: chat })],
  ])('cannot search %s of another user', async (_, more) => {
    expect((await find(more())).status).toBe(403)
  })

  it('opens none of them by id', async () => {
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

  it('reads no chunks of their documents, nor below a document of their own', async () => {
    for (const id of theirs.documents.slice(0, 5))
      expect((await eve.call('GET', `/documents/${id}/chunks`)).status).toBe(403)
    for (const id of theirs.chunks.slice(0, 10)) {
      expect((await eve.call('GET', `/documents/${theirs.documents[0]}/chunks/${id}`)).status).toBe(403)
      expect((await eve.call('GET', `/documents/${own}/chunks/${id}`)).status).toBe(404)
    }
  })

  it('cannot list, delete or count objects, from the start or after any cursor', async () => {
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
