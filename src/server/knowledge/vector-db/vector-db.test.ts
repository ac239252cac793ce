import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { lastAudited } from '#tests/audit-log.ts'
import { aUser } from '#tests/builders.ts'
import { aReader, type Reader } from '#tests/documents.ts'
import { aRow } from '#tests/vector-row.ts'
import type { Row } from '../../platform/vectors/vectors.ts'
import { findCollection, findLibrary } from '../collections/collections.ts'
import { reconcile } from '../search/search.ts'

let app: TestApp
let base: string
let root: Awaited<ReturnType<typeof aUser>>
beforeAll(async () => {
  app = await startApp({ config: { ATRIUM_EMBEDDING_MODEL: 'atrium/lexical' } })
  base = `${await app.listen()}/api/v1`
  root = await aUser(app, { role: 'super_admin' })
})
afterAll(() => app.close())

const someone = () => aReader(app, base)

async function ask(method: string, path: string, body?: unknown, user = root) {
  const answer = await fetch(`${base}/vector_db${path}`, {
    ...{
      method,
      headers: { ...user.headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  // biome-ignore lint/suspicious/noExplicitAny: answers are compared, not worked with.
  return { status: answer.status, body: (await answer.json()) as any }
}

async function read(who: Reader, name: string, content: string): Promise<string> {
  const { body } = await who.upload({ name, content })
  await who.processed(body.id)
  return body.id
}
const chunksOf = async (who: Reader, id: string): Promise<{ id: string }[]> =>
  (await who.call('GET', `/documents/${id}/chunks`)).body.chunks
const paragraphs = (words: string) =>
  ['One', 'Two', 'Three'].map((title) => `# ${title}\n\n${`${words} ${title}. `.repeat(60)}`).join('\n\n')

let made = 0
const aName = () => {
  made += 1
  return `Suppliers_${made}`
}

/** Creates a collection with this configuration and returns its name. */
async function aCollection(configuration: object = { embedding_model: 'e5-base-v2' }): Promise<string> {
  const name = aName()
  const { status, body } = await ask('POST', '/collections', { name, configuration })
  expect([status, body.detail]).toEqual([201, undefined])
  return name
}

async function put(name: string, rows: (Partial<Row> & { id: string })[]): Promise<void> {
  const found = await findCollection(app.deps.db, name)
  if (!found) throw new Error(`there is no ${name}`)
  const plain = {
    ...{ document_id: 'd', user_id: 'u', company_id: 'c', chunk_type: 'Text', page: 3 },
    ...{ title: 'A title', text: 'A text', metadata: { place: 1 } },
  }
  const table = app.deps.vectors.table(found.table_name, found.spec)
  await table.put(rows.map((row) => aRow({ ...plain, shared_access: ['company'], ...row })))
}

const small = {
  vectorizer_configs: [
    { name: 'text', dimensions: 3 },
    { name: 'title', dimensions: 2 },
  ],
}

describe('collections', () => {
  it('are created as requested, stored, and listed with their counts [VD-13, SV-75, SV-69]', async () => {
    const configuration = {
      ...{ embedding_model: 'e5-base-v2', index_type: 'flat', distance_metric: 'cosine' },
      multi_tenancy_enabled: true,
      vectorizer_configs: [
        {
          ...{ name: 'text', vector_type: 'single', integration_type: 'text2vec-openai' },
          ...{ model_name: 'text-embedding-3-large', source_properties: ['title', 'text'] },
          multi_vector_enabled: false,
        },
        {
          ...{
            name: 'colbert',
            vector_type: 'multi',
            integration_type: '',
            model_name: 'own',
            dimensions: 128,
          },
          ...{ source_properties: [], multi_vector_enabled: true },
        },
        { name: 'title' },
      ],
      properties: [
        {
          ...{ name: 'supplier', data_type: 'text', description: 'Its name' },
          ...{ index_filterable: true, index_searchable: false },
        },
      ],
    }
    const body = { name: 'Profiles', description: 'Of suppliers', configuration }
    const created = await ask('POST', '/collections', body)
    const shown = {
      ...{ name: 'Profiles', description: 'Of suppliers', object_count: 0, index_type: 'flat' },
      vectors: [
        { name: 'text', dimensions: 3072, distance_metric: 'cosine', is_multi_vector: false },
        { name: 'colbert', dimensions: 128, distance_metric: 'cosine', is_multi_vector: true },
        { name: 'title', dimensions: 768, distance_metric: 'cosine', is_multi_vector: false },
      ],
      ...{ is_library: false, is_missing: false },
    }
    expect(created).toMatchObject({ status: 201, body: { details: shown } })
    const kept = await app.deps.db
      .selectFrom('collections')
      .select('configuration')
      .where('name', '=', 'Profiles')
      .executeTakeFirstOrThrow()
    expect(kept.configuration).toMatchObject(configuration)
    await put('Profiles', [{ id: 'a' }, { id: 'b' }])
    const { body: listed } = await ask('GET', '/collections')
    expect(listed.collections).toContainEqual({ ...shown, object_count: 2 })
  })

  it('have one vector named default, hnsw and cosine by default', async () => {
    const name = await aCollection({ embedding_model: 'mistral-embed' })
    const { body } = await ask('GET', '/collections')
    expect(body.collections.find((one: { name: string }) => one.name === name)).toMatchObject({
      index_type: 'hnsw',
      vectors: [{ name: 'default', dimensions: 1024, distance_metric: 'cosine', is_multi_vector: false }],
    })
  })

  it.each([
    ['text-embedding-ada-002', 1536],
    ['text-embedding-3-small', 1536],
    ['text-embedding-3-large', 3072],
    ['e5-base-v2', 768],
    ['e5-large-v2', 1024],
    ['bge-large-en-v1.5', 1024],
    ['clip-vit-base-patch32', 512],
    ['mistral-embed', 1024],
  ])('the vectors of %s have %d dimensions [VD-14]', async (model_name, dimensions) => {
    const name = aName()
    const configuration = { vectorizer_configs: [{ name: 'one', model_name }] }
    const { body } = await ask('POST', '/collections', { name, configuration })
    expect(body.details.vectors[0].dimensions).toBe(dimensions)
  })

  it.each([
    [{ name: ' ' }, 'name'],
    [
      { name: '1 two' },
      'The name of a collection starts with a letter and has letters, digits, - and _ only.',
    ],
    [{ configuration: {} }, 'Say how many dimensions the vector default has.'],
    [{ configuration: { embedding_model: 'toString' } }, 'Say how many dimensions the vector default has.'],
    [{ configuration: { index_type: 'tree' } }, 'index_type'],
    [{ configuration: { distance_metric: 'far' } }, 'distance_metric'],
    [{ configuration: { vectorizer_configs: [{ name: '', dimensions: 3 }] } }, 'name'],
    [
      { configuration: { vectorizer_configs: [{ name: 'a b', dimensions: 3 }] } },
      'The name of the vector a b starts with a letter and has letters, digits and _ only.',
    ],
    [
      {
        configuration: {
          vectorizer_configs: [
            { name: 'a', dimensions: 3 },
            { name: 'A', dimensions: 3 },
          ],
        },
      },
      'There are two with the name A: a vector needs its own.',
    ],
    [
      {
        configuration: {
          distance_metric: 'dot',
          vectorizer_configs: [{ name: 'a', dimensions: 3, vector_type: 'multi' }],
        },
      },
      'Several vectors in an object (a) are compared by cosine only.',
    ],
    [
      { configuration: { distance_metric: 'hamming', vectorizer_configs: [{ name: 'a', dimensions: 12 }] } },
      'With hamming the dimensions of the vector a must be a multiple of 8.',
    ],
    [{ configuration: { embedding_model: 'e5-base-v2', properties: [{ name: '' }] } }, 'name'],
  ])('refuse %j in one sentence', async (wrong, sentence) => {
    const given = { name: 'Wrong', configuration: { embedding_model: 'e5-base-v2' }, ...wrong }
    const { status, body } = await ask('POST', '/collections', given)
    expect([status, body.detail]).toEqual([422, expect.stringContaining(sentence)])
    expect(await findCollection(app.deps.db, 'Wrong')).toBeNull()
  })

  it('have unique names, and the name of the library is reserved', async () => {
    const name = await aCollection()
    const configuration = { embedding_model: 'e5-base-v2' }
    const again = await ask('POST', '/collections', { name, configuration })
    expect([again.status, again.body.detail]).toEqual([409, `There is already a collection ${name}.`])
    const library = await ask('POST', '/collections', { name: 'documents', configuration })
    expect([library.status, library.body.detail]).toEqual([
      409,
      'The name Documents is reserved for the library.',
    ])
  })

  it('are deleted with confirm=true, except the library [SV-74]', async () => {
    const name = await aCollection()
    const found = await findCollection(app.deps.db, name)
    const unsure = await ask('DELETE', `/collections/${name}`)
    expect([unsure.status, unsure.body.detail]).toEqual([422, 'Deleting a collection needs confirm=true.'])
    expect(await ask('DELETE', `/collections/${name}?confirm=true`)).toEqual({
      status: 200,
      body: { message: `Collection ${name} deleted` },
    })
    expect(await lastAudited(app, 'collection.removed')).toMatchObject({ subject: name })
    expect((await ask('DELETE', `/collections/${name}?confirm=true`)).status).toBe(404)
    expect(await app.deps.vectors.names()).not.toContain(found?.table_name)
    await read(await someone(), 'kept.txt', 'Kept.')
    const library = await ask('DELETE', '/collections/Documents?confirm=true')
    expect([library.status, library.body.detail]).toEqual([
      422,
      'The collection Documents holds the library and cannot be deleted.',
    ])
  })
})

describe('objects', () => {
  it('are read page by page in the order of their ids, with the requested vectors [VD-03, SV-70]', async () => {
    const name = await aCollection(small)
    const rows = ['e', 'c', 'a', 'd', 'b'].map((id) => ({ id, vectors: { text: [1, 2, 3], title: [4, 5] } }))
    await put(name, rows)
    const page = async (more: object) =>
      (await ask('POST', '/objects', { collection_name: name, limit: 2, ...more })).body
    const first = await page({})
    expect(first.next_cursor).toBe('b')
    expect(first.objects[0]).toEqual({
      uuid: 'a',
      properties: {
        ...{ text: 'A text', content: 'A text', title: 'A title', metadata: { place: 1 }, document_id: 'd' },
        file_name: 'a.txt',
        ...{ file_type: 'txt', chunk_type: 'Text', page_number: 3, position: 0, language: 'en' },
        ...{ user_id: 'u', company_id: 'c', shared_access: ['company'] },
      },
      vectors: null,
    })
    const second = await page({ after: 'b', include_vector: true })
    expect(second.objects.map(({ uuid, vectors }: never) => [uuid, vectors])).toEqual([
      ['c', [1, 2, 3]],
      ['d', [1, 2, 3]],
    ])
    const last = await page({ after: 'd', include_all_vectors: true })
    expect(last).toMatchObject({
      objects: [{ uuid: 'e', vectors: { text: [1, 2, 3], title: [4, 5] } }],
      next_cursor: null,
    })
    for (const limit of [0, 101, 1.5]) {
      const { status } = await ask('POST', '/objects', { collection_name: name, limit })
      expect(status).toBe(422)
    }
    expect((await ask('POST', '/objects', { collection_name: 'Nothing' })).status).toBe(404)
  })

  it('of the library are shown by id to people with access to the document, others only to super admins [SV-71, SV-82]', async () => {
    const [ada, eve] = [await someone(), await someone()]
    const id = await read(ada, 'secret.txt', 'The code is seven.')
    const [chunk] = await chunksOf(ada, id)
    const wanted = { collection_name: 'Documents', object_id: chunk?.id }
    const own = await ask('POST', '/objects/by-id', wanted, ada.user)
    expect(own.body.object).toMatchObject({
      uuid: chunk?.id,
      properties: { text: 'The code is seven.', document_id: id, user_id: ada.user.id },
      vectors: null,
    })
    const { body } = await ask('POST', '/objects/by-id', { ...wanted, include_vector: true })
    expect(body.object.vectors.default.length).toBeGreaterThan(10)
    expect(await lastAudited(app, 'passages.read')).toMatchObject({ subject: id, subject_id: chunk?.id })
    expect((await ask('POST', '/objects/by-id', wanted, eve.user)).status).toBe(403)
    const name = await aCollection(small)
    await put(name, [{ id: 'a', document_id: id }])
    const other = { collection_name: name, object_id: 'a' }
    expect((await ask('POST', '/objects/by-id', other, ada.user)).status).toBe(403)
    expect((await ask('POST', '/objects/by-id', other)).body.object.uuid).toBe('a')
    expect((await ask('POST', '/objects/by-id', { ...other, object_id: 'b' })).status).toBe(404)
  })

  it('a deleted chunk of the library is also removed from its document, and does not return [SV-72]', async () => {
    const ada = await someone()
    const id = await read(ada, 'parts.md', paragraphs('The orchard has ninety trees and a pond.'))
    const before = await chunksOf(ada, id)
    expect(before.length).toBeGreaterThan(1)
    const wanted = { collection_name: 'Documents', chunk_id: before[0]?.id }
    expect(await ask('DELETE', '/chunks', wanted)).toEqual({
      status: 200,
      body: { status: 'success', message: 'Chunk deleted' },
    })
    const left = before.slice(1).map((chunk) => chunk.id)
    expect((await chunksOf(ada, id)).map((chunk) => chunk.id)).toEqual(left)
    expect((await ada.call('GET', `/documents/${id}/chunks`)).body.total).toBe(left.length)
    expect(await reconcile(app.deps)).toMatchObject({ removed: { documents: 0 }, restored: { documents: 0 } })
    const library = await findLibrary(app.deps)
    if (!library) throw new Error('there is no library')
    const table = app.deps.vectors.table(library.table_name, library.spec)
    expect(await table.count({ column: 'document_id', equals: id })).toBe(left.length)
    const again = await ask('DELETE', '/chunks', wanted)
    expect([again.status, again.body.detail]).toEqual([404, 'Chunk not found'])
  })

  it('are deleted one by one, by document, or all [SV-73]', async () => {
    const name = await aCollection(small)
    await put(name, [{ id: 'a' }, { id: 'b' }, { id: 'c', document_id: 'e' }, { id: 'd', document_id: 'e' }])
    const remove = async (more: object) => ask('DELETE', '/documents', { collection_name: name, ...more })
    expect((await remove({ object_id: 'a' })).body).toEqual({
      ...{ status: 'success', message: 'Objects deleted: 1', object_id: 'a', details: { successful: 1 } },
    })
    expect((await remove({ object_id: 'e' })).body.details).toEqual({ successful: 2 })
    expect((await remove({ object_id: 'e' })).status).toBe(404)
    await put(name, [{ id: 'f' }])
    expect((await remove({ all_objects: true })).body).toMatchObject({
      object_id: null,
      details: { successful: 2 },
    })
    expect((await remove({ all_objects: true })).body.details).toEqual({ successful: 0 })
    for (const unclear of [{}, { object_id: 'a', all_objects: true }]) {
      const { status, body } = await remove(unclear)
      expect([status, body.detail]).toEqual([422, 'Say which objects: object_id, or all_objects.'])
    }
  })

  it('of a document of the library are deleted without affecting others', async () => {
    const ada = await someone()
    const [one, two] = [await read(ada, 'one.txt', 'The first.'), await read(ada, 'two.txt', 'The second.')]
    const { body } = await ask('DELETE', '/documents', { collection_name: 'Documents', object_id: one })
    expect(body.details).toEqual({ successful: 1 })
    expect([await chunksOf(ada, one), (await chunksOf(ada, two)).length]).toEqual([[], 1])
    expect(await reconcile(app.deps)).toMatchObject({ removed: { documents: 0 }, restored: { documents: 0 } })
  })
})

describe('the vector store', () => {
  it('reports its contents, its size and its indexes, and no path of the machine [SV-76]', async () => {
    const name = await aCollection(small)
    await put(name, [{ id: 'a' }])
    const { body } = await ask('GET', '/status')
    expect(body).toMatchObject({ status: 'connected', engine: 'LanceDB', location: 'data_folder' })
    const own = body.collections.find((one: { name: string }) => one.name === name)
    expect(own).toMatchObject({ objects: 1, fragments: 1 })
    expect(own.size_bytes).toBeGreaterThan(0)
    expect(own.indexes).toContainEqual({ columns: ['document_id'], type: 'BTree', unindexed: 1 })
    const sum = (of: string) => body.collections.reduce((all: number, one: never) => all + Number(one[of]), 0)
    expect([body.objects, body.size_bytes, body.fragments]).toEqual([
      sum('objects'),
      sum('size_bytes'),
      sum('fragments'),
    ])
    expect(JSON.stringify(body)).not.toContain('/')
  })

  it('lists a collection without its table, and reports the loss when its objects are read', async () => {
    const name = await aCollection(small)
    const found = await findCollection(app.deps.db, name)
    await app.deps.vectors.drop(found?.table_name ?? '')
    const { body } = await ask('GET', '/collections')
    expect(body.collections.find((one: { name: string }) => one.name === name)).toMatchObject({
      object_count: 0,
      is_missing: true,
    })
    const objects = await ask('POST', '/objects', { collection_name: name })
    expect([objects.status, objects.body.detail]).toEqual([
      503,
      `The vector store has lost the collection ${name}.`,
    ])
    expect((await ask('GET', '/status')).body.status).toBe('connected')
  })

  it('is for super admins only [VD-19]', async () => {
    const boss = await aUser(app, { role: 'company_admin' })
    const calls = [
      ['GET', '/status'],
      ['GET', '/collections'],
      ['POST', '/collections', { name: 'Mine', configuration: { embedding_model: 'e5-base-v2' } }],
      ['DELETE', '/collections/Documents?confirm=true'],
      ['POST', '/objects', { collection_name: 'Documents' }],
      ['DELETE', '/chunks', { collection_name: 'Documents', chunk_id: 'a' }],
      ['DELETE', '/documents', { collection_name: 'Documents', all_objects: true }],
    ] as const
    for (const [method, path, body] of calls)
      expect([path, (await ask(method, path, body, boss)).status]).toEqual([path, 403])
  })
})
