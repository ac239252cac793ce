import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aUser } from '#tests/builders.ts'
import { aReader, type Reader } from '#tests/documents.ts'
import { findLibrary } from '../collections/collections.ts'
import { reconcile } from './search.ts'
import { tendCollections } from './upkeep.ts'

let app: TestApp
let base: string
beforeAll(async () => {
  app = await startApp({
    config: { ATRIUM_EMBEDDING_MODEL: 'atrium/lexical', ATRIUM_LIMIT_RERANK_SECONDS: '25' },
  })
  base = `${await app.listen()}/api/v1`
})
afterAll(() => app.close())

const someone = () => aReader(app, base)

async function read(who: Reader, name: string, content: string, fields = {}): Promise<string> {
  const { body } = await who.upload({ name, content, fields })
  await who.processed(body.id)
  return body.id
}

type Hit = { content: string; properties: { document_id: string; file_name: string } }
async function search(who: Reader, query: string, more = {}) {
  const { status, body } = await who.call('POST', '/search_and_rerank/search_and_rerank', { query, ...more })
  expect([status, body.detail]).toEqual([200, undefined])
  return body as { objects: Hit[]; documents: number; search_type: string; reranking: object }
}
/** Folds new rows into the indexes, as happens after a quiet period. */
async function foldIn(): Promise<void> {
  const library = await findLibrary(app.deps)
  const now = () => new Date((library?.changed_at.getTime() ?? 0) + 11_000)
  await tendCollections({ ...app.deps, clock: { now } })
}

const namesOf = ({ objects }: { objects: Hit[] }) => objects.map(({ properties }) => properties.file_name)

describe('search', () => {
  it.each([
    ['keyword', { use_bm25: true, hybrid_search: false }],
    ['vector', { hybrid_search: false }],
    ['hybrid', {}],
  ])('by %s finds a document as soon as it is completed', async (type, way) => {
    const ada = await someone()
    const id = await read(ada, 'lease.txt', 'The rent of the warehouse in Lyon is 4 200 euros a month.')
    await read(ada, 'menu.txt', 'On Tuesday there is soup with leeks.')
    const found = await search(ada, 'rent of the warehouse', way)
    expect([found.search_type, found.documents]).toEqual([type, 2])
    expect(found.objects[0]).toMatchObject({
      content: 'The rent of the warehouse in Lyon is 4 200 euros a month.',
      properties: { document_id: id, file_name: 'lease.txt', file_type: 'txt', place: { span: [0, 57] } },
    })
  })

  it('finds no documents of other users, in any scope, filter or reranker', async () => {
    const [ada, eve] = [await someone(), await someone()]
    const secret = await read(ada, 'secret.txt', 'The code of the safe is seven four one.')
    const { body: space } = await ada.call('POST', '/workspaces', { name: 'Private' })
    const { body: chat } = await ada.call('POST', '/sessions', {})
    for (const more of [
      {},
      { use_bm25: true },
      { filters: [{ property: 'document_id', operator: 'equal', value: secret }] },
      { filters: [{ property: 'file_name', operator: 'equal', value: "%' or true --" }] },
      { reranker_name: 'cosine_similarity_reranker', offset: 0, limit: 100 },
    ])
      expect((await search(eve, 'code of the safe', more)).objects).toEqual([])
    for (const more of [{ workspace_ids: [space.id] }, { chat_session_id: chat.id }]) {
      const { status } = await eve.call('POST', '/search_and_rerank/search_and_rerank', {
        query: 'safe',
        ...more,
      })
      expect(status).toBe(403)
    }
    expect(namesOf(await search(ada, 'code of the safe'))).toEqual(['secret.txt'])
  })

  it('is limited to a document, a workspace or a chat', async () => {
    const ada = await someone()
    const { body: space } = await ada.call('POST', '/workspaces', { name: 'Contracts' })
    const { body: chat } = await ada.call('POST', '/sessions', {})
    const one = await read(ada, 'one.txt', 'Payment is due within ten days.')
    await read(ada, 'two.txt', 'Payment is due within thirty days.', { workspace_id: space.id })
    await read(ada, 'three.txt', 'Payment is due at once.', { chat_session_id: chat.id })
    const query = 'payment due'
    const filters = [{ property: 'document_id', operator: 'equal', value: one }]
    expect(namesOf(await search(ada, query, { filters }))).toEqual(['one.txt'])
    expect(namesOf(await search(ada, query, { workspace_ids: [space.id] }))).toEqual(['two.txt'])
    expect(namesOf(await search(ada, query, { chat_session_id: chat.id }))).toEqual(['three.txt'])
    await ada.call('POST', `/sessions/${chat.id}/workspaces/${space.id}`)
    expect(namesOf(await search(ada, query, { chat_session_id: chat.id })).sort()).toEqual([
      'three.txt',
      'two.txt',
    ])
    expect(namesOf(await search(ada, `${query} workspace:contracts`))).toEqual(['two.txt'])
    expect(namesOf(await search(ada, `${query} title:one type:txt`))).toEqual(['one.txt'])
    expect(namesOf(await search(ada, `${query} type:pdf`))).toEqual([])
    expect(namesOf(await search(ada, `${query} -thirty -once`, { use_bm25: true }))).toEqual(['one.txt'])
  })

  it('understands quotes, minus, and the filters title, type and workspace [CX-10]', async () => {
    const ada = await someone()
    const { body: space } = await ada.call('POST', '/workspaces', { name: 'Old contracts' })
    await read(ada, 'boat.txt', 'The blue boat of the harbour is red below.')
    await read(ada, 'house.md', 'A boat that is blue, and a house.', { workspace_id: space.id })
    await read(ada, 'Letter to Marseille.txt', 'The blue boat is sold.')
    await foldIn()
    // Rows that are not in the index yet are found as well.
    await read(ada, 'fresh.txt', 'The blue boat is new.')
    const found = async (query: string) =>
      namesOf(await search(ada, query, { use_bm25: true }))
        .sort()
        .filter((name) => name !== 'fresh.txt')
    expect(namesOf(await search(ada, '"blue boat" -sold', { use_bm25: true }))).toContain('fresh.txt')
    expect(namesOf(await search(ada, '"boat blue"', { use_bm25: true }))).toEqual([])
    const all = ['Letter to Marseille.txt', 'boat.txt', 'house.md']
    expect(await found('blue boat')).toEqual(all)
    expect(await found('"blue boat"')).toEqual(['Letter to Marseille.txt', 'boat.txt'])
    expect(await found('« blue boat »')).toEqual(['Letter to Marseille.txt', 'boat.txt'])
    expect(await found('boat -sold')).toEqual(['boat.txt', 'house.md'])
    expect(await found('boat -"red below"')).toEqual(['Letter to Marseille.txt', 'house.md'])
    expect(await found('boat title:marseille')).toEqual(['Letter to Marseille.txt'])
    expect(await found('boat title:"to Marseille"')).toEqual(['Letter to Marseille.txt'])
    expect(await found('boat type:md')).toEqual(['house.md'])
    expect(await found('boat workspace:"old contracts"')).toEqual(['house.md'])
    expect(await found('boat type:txt -sold')).toEqual(['boat.txt'])
  })

  it('finds a newer version, and no longer replaced or deleted ones', async () => {
    const ada = await someone()
    const id = await read(ada, 'price.txt', 'The price is twelve crowns.')
    await ada.upload(
      { name: 'price.txt', content: 'The price is fifteen crowns.' },
      `/documents/${id}/versions`,
    )
    await ada.processed(id)
    const found = await search(ada, 'price crowns', { use_bm25: true })
    expect(found.objects.map(({ content }) => content)).toEqual(['The price is fifteen crowns.'])
    await ada.call('DELETE', `/documents/${id}`)
    expect((await search(ada, 'price crowns')).objects).toEqual([])
  })

  it.each([
    [{ query: '  ' }, 'query'],
    [{ query: 'a', limit: 0 }, 'limit'],
    [{ query: 'a', limit: 101 }, 'limit'],
    [{ query: 'a', hybrid_alpha: 1.1 }, 'hybrid_alpha'],
    [{ query: 'a', target_vectors: ['nobody'] }, 'There is no vector field nobody in this collection.'],
    [{ query: 'a', reranker_name: 'magic' }, 'There is no reranker magic.'],
    [
      { query: 'a', filters: [{ property: 'colour', operator: 'equal', value: 'red' }] },
      'Passages have no property colour that can be filtered by.',
    ],
  ])('refuses %j in one sentence', async (wrong, sentence) => {
    const ada = await someone()
    await read(ada, 'a.txt', 'A word.')
    const { status, body } = await ada.call('POST', '/search_and_rerank/search_and_rerank', wrong)
    expect(status).toBe(422)
    expect(JSON.stringify(body)).toContain(sentence)
  })
})

describe('rerankers', () => {
  it('compare the vectors of passages and question', async () => {
    const ada = await someone()
    await read(ada, 'roof.txt', 'The roof of the barn has red tiles.')
    await read(ada, 'cellar.txt', 'In the cellar there is wine from Burgundy.')
    const more = { reranker_name: 'cosine_similarity_reranker' }
    const { objects } = await search(ada, 'The roof of the barn has red tiles.', more)
    const [first, second] = objects as (Hit & { rerank_score: number })[]
    expect(first?.properties.file_name).toBe('roof.txt')
    expect(first?.rerank_score).toBeGreaterThan(0.95)
    expect(second?.rerank_score).toBeGreaterThan(0)
    expect(second?.rerank_score).toBeLessThan(0.9)
  })

  it('are listed at both addresses, and an unknown one is refused before the search', async () => {
    const ada = await someone()
    const [listed, available] = await Promise.all(
      ['rerankers', 'available'].map((name) => ada.call('GET', `/reranking/${name}`)),
    )
    const names = listed?.body.rerankers.map(({ name }: { name: string }) => name)
    expect(names).toEqual(
      expect.arrayContaining(['cosine_similarity_reranker', 'lexical_reranker', 'maxsim']),
    )
    expect(available?.body).toEqual(listed?.body)
    const request = { query: 'a', reranker_name: 'magic' }
    const { status, body } = await ada.call('POST', '/search_and_rerank/search_and_rerank', request)
    expect([status, body.detail]).toEqual([422, 'There is no reranker magic.'])
  })

  it('include maxsim, which compares token by token', { timeout: 180_000 }, async () => {
    const ada = await someone()
    // The first use builds the model, which takes longer than the reranking limit.
    await app.deps.models.builtInEmbedding()
    await read(ada, 'bank.txt', 'The bank lends money for houses.')
    await read(ada, 'river.txt', 'We sat on the bank of the river in the sun.')
    const found = await search(ada, 'the shore of a river', { reranker_name: 'maxsim' })
    expect(namesOf(found)).toEqual(['river.txt', 'bank.txt'])
    expect(found.reranking).toMatchObject({ status: 'done', reranker: 'maxsim', detail: null })
    const byDefault = await search(ada, 'the shore of a river', { reranker_name: 'bge_text_reranker' })
    expect(namesOf(byDefault)).toEqual(['river.txt', 'bank.txt'])
    expect(byDefault.reranking).toMatchObject({
      ...{ status: 'done', reranker: 'maxsim' },
      detail: 'bge_text_reranker is not installed: maxsim was used instead.',
    })
  })
})

describe('the vector store', () => {
  it('is reconciled with the database after losing or keeping too many passages [CX-17]', async () => {
    const ada = await someone()
    await read(ada, 'kept.txt', 'The orchard has ninety trees.')
    const gone = await read(ada, 'gone.txt', 'The orchard has a pond.')
    const { db, vectors } = app.deps
    const library = await findLibrary(app.deps)
    if (!library) throw new Error('there is no library')
    const table = vectors.table(library.table_name, library.spec)
    const count = await table.count()
    await reconcile(app.deps)
    const nothing = { documents: 0, passages: 0 }
    expect(await reconcile(app.deps)).toEqual({ removed: nothing, restored: nothing })
    // Deleted directly in the database, without a job to remove its passages.
    await db.deleteFrom('documents').where('id', '=', gone).execute()
    await table.remove({ column: 'file_name', equals: 'kept.txt' })
    const [row] = await table.read({ limit: 1 })
    if (!row) throw new Error('there is no row')
    await table.put([{ ...row, id: crypto.randomUUID(), reading_id: crypto.randomUUID(), vectors: {} }])
    const mended = {
      removed: { documents: 2, passages: 2 },
      restored: { documents: 1, passages: 1 },
    }
    expect(await reconcile(app.deps)).toEqual(mended)
    const before = await findLibrary(app.deps)
    expect(before?.mended).toMatchObject(mended)
    // A run without changes keeps the record of the last repair.
    await reconcile(app.deps)
    const after = await findLibrary(app.deps)
    expect(after?.mended).toEqual(before?.mended)
    const admin = await aUser(app, { role: 'super_admin' })
    const answer = await fetch(`${base}/vector_db/status`, { headers: admin.headers })
    const { collections } = (await answer.json()) as { collections: object[] }
    expect(collections[0]).toMatchObject({
      reconciliation: { checked_at: after?.reconciled_at?.toISOString(), mended },
    })
    expect(after?.reconciled_at?.getTime()).toBeGreaterThan(before?.reconciled_at?.getTime() ?? 0)
    expect(await table.count()).toBe(count - 1)
    expect(namesOf(await search(ada, 'orchard'))).toEqual(['kept.txt'])
    await vectors.drop(library.table_name)
    expect((await search(ada, 'orchard')).objects).toEqual([])
    expect((await reconcile(app.deps)).restored.documents).toBeGreaterThan(0)
    expect(namesOf(await search(ada, 'orchard'))).toEqual(['kept.txt'])
  })

  it('folds new rows into its indexes after a quiet period, and finds phrases', async () => {
    const ada = await someone()
    await read(ada, 'harbour.txt', 'The harbour master keeps a green lantern.')
    const library = await findLibrary(app.deps)
    if (!library) throw new Error('there is no library')
    const unindexed = async () => {
      const { indexes } = await app.deps.vectors.describe(library.table_name)
      return Math.max(...indexes.map((index) => index.unindexed))
    }
    const tendAfter = (ms: number) =>
      tendCollections({ ...app.deps, clock: { now: () => new Date(library.changed_at.getTime() + ms) } })
    await tendAfter(1_000)
    expect(await unindexed()).toBeGreaterThan(0)
    await tendAfter(11_000)
    expect(await unindexed()).toBe(0)
    expect(namesOf(await search(ada, '"green lantern"', { use_bm25: true }))).toEqual(['harbour.txt'])
    expect(namesOf(await search(ada, '"lantern green"', { use_bm25: true }))).toEqual([])
  })

  it('is indexed again when its folder is lost, as after a restore', async () => {
    const ada = await someone()
    await read(ada, 'bridge.txt', 'The bridge has nine arches.')
    const library = await findLibrary(app.deps)
    await app.deps.vectors.drop(library?.table_name ?? '')
    await tendCollections(app.deps)
    await expect
      .poll(async () => namesOf(await search(ada, 'bridge arches')), { timeout: 20_000 })
      .toEqual(['bridge.txt'])
  })
})
