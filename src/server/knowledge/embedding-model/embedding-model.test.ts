import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { lastAudited } from '#tests/audit-log.ts'
import { aUser } from '#tests/builders.ts'
import { aReader, type Reader } from '#tests/documents.ts'
import { type EmbeddingServer, startEmbeddingServer } from '#tests/embedding-server.ts'
import { installModel, tinyModel } from '#tests/tiny-onnx.ts'
import { findLibrary, listLibrary } from '../collections/collections.ts'
import { tendModels } from './build.ts'

/** Dimensions per model. Vectors of one model cannot be compared with those of another. */
const lengths: Record<string, number> = { small: 8, large: 16, broken: 0 }
/** The text that `changeModel` embeds as a test. */
const TRIAL = 'The rent is due'
let gate: Promise<void> = Promise.resolve()
let now = new Date()
let isDown = false
let provider: EmbeddingServer
let app: TestApp
let base: string
let admin: Reader
const models = mkdtempSync(join(tmpdir(), 'atrium-models-'))

beforeAll(async () => {
  provider = await startEmbeddingServer(async (text, model) => {
    if (model === 'large' && !text.startsWith(TRIAL)) {
      if (isDown) throw new Error('down')
      await gate
    }
    const length = lengths[model]
    if (length === undefined) throw new Error('no such model')
    return vectorOf(text, length)
  })
  app = await startApp({
    clock: { now: () => now },
    config: {
      ATRIUM_EMBEDDING_MODEL: 'house/small',
      ATRIUM_COMPATIBLE_NAME: 'house',
      ATRIUM_COMPATIBLE_URL: provider.url,
      ATRIUM_MODELS_DIR: models,
    },
  })
  base = `${await app.listen()}/api/v1`
  admin = await aReader(app, base, await aUser(app, { role: 'super_admin' }))
})
afterAll(async () => {
  await app.close()
  provider.close()
  rmSync(models, { recursive: true, force: true })
})

const subjects = ['bridge', 'soup', 'tower', 'orchard', 'garden']

/** Returns a vector of the subjects in a text; each model orders its dimensions differently. */
function vectorOf(text: string, length: number): number[] {
  const vector = Array.from({ length }, () => 0.01)
  subjects.forEach((subject, at) => {
    if (text.includes(subject)) vector[length === lengths.small ? at : length - 1 - at] = 1
  })
  return vector
}

async function read(who: Reader, name: string, content: string): Promise<string> {
  const { body } = await who.upload({ name, content })
  expect((await who.processed(body.id)).status).toBe('completed')
  return body.id
}

const state = async () => (await admin.call('GET', '/embedding-model')).body
const change = (model: string) => admin.call('POST', '/embedding-model/change', { model })
const cancel = () => admin.call('DELETE', '/embedding-model/change')
const isSearchedBy = (model: string) =>
  expect.poll(async () => (await state()).model, { timeout: 20_000 }).toBe(model)
const search = (who: Reader, query: string) =>
  who.call('POST', '/search_and_rerank/search_and_rerank', { query, hybrid_search: false })
const namesOf = ({ body }: { body: { objects: { properties: { file_name: string } }[] } }) =>
  body.objects.map(({ properties }) => properties.file_name)

/** Returns the files of indexed passages that have no vector. */
async function without(): Promise<string[]> {
  const library = await findLibrary(app.deps)
  if (!library) throw new Error('there is no library')
  const table = app.deps.vectors.table(library.table_name, library.spec)
  const rows = await table.read({ limit: 1_000, withVectors: true })
  return rows.filter(({ vectors }) => !vectors.default).map(({ file_name }) => file_name)
}

/** Blocks the model that is being built until the returned function is called. */
function holdBuild(): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  gate = promise
  return resolve
}

describe('the embedding model of the library', () => {
  it('changes without interrupting searches, includes documents added meanwhile, and changes back [CX-16]', {
    timeout: 60_000,
  }, async () => {
    const ada = await aReader(app, base)
    await read(ada, 'bridge.txt', 'The bridge over the river has nine arches.')
    await read(ada, 'soup.txt', 'The soup has leeks and potatoes.')
    const letGo = holdBuild()
    expect((await change('house/large')).status).toBe(202)
    const building = await state()
    expect([building.model, building.building]).toEqual([
      'house/small',
      { model: 'house/large', done: 0, total: 2, standstill: null },
    ])
    const late = await read(ada, 'late.txt', 'The tower has a bell of bronze.')
    expect(namesOf(await search(ada, 'arches of the bridge'))[0]).toBe('bridge.txt')
    expect((await change('atrium/lexical')).status).toBe(409)
    letGo()
    await isSearchedBy('house/large')
    expect([await without(), (await state()).building]).toEqual([[], null])
    expect(namesOf(await search(ada, 'bell of the tower'))[0]).toBe('late.txt')
    const { body: debug } = await ada.call('GET', `/documents/${late}/chunks`)
    expect(debug.chunks[0].has_embeddings).toBe(true)

    // The change back embeds only documents added since, and drops those deleted since.
    await read(ada, 'since.txt', 'The orchard has ninety trees.')
    await ada.call('DELETE', `/documents/${late}`)
    expect((await state()).kept).toMatchObject({ model: 'house/small' })
    const { body: cost } = await admin.call('GET', '/embedding-model/cost?model=house/small')
    expect(cost).toMatchObject({ passages: 1, price: null })
    const asked = provider.texts()
    expect((await change('house/small')).status).toBe(202)
    await isSearchedBy('house/small')
    // One test sentence, one new passage.
    expect(provider.texts() - asked).toBe(2)
    expect(await without()).toEqual([])
    expect(namesOf(await search(ada, 'trees of the orchard'))[0]).toBe('since.txt')
    expect(namesOf(await search(ada, 'bell of the tower'))).not.toContain('late.txt')
    expect((await state()).kept).toMatchObject({ model: 'house/large' })
  })

  it('refuses a model that embeds nothing and states the reason', async () => {
    for (const [model, reason] of [
      ['house/unknown', /^house\/unknown embedded nothing: /],
      ['nobody/model', /^nobody\/model embedded nothing: The model nobody\/model is not available/],
      ['house/small', /^The library is searched by house\/small already\.$/],
    ] as const) {
      const { status, body } = await change(model)
      expect([status, body.detail]).toEqual([
        model === 'house/small' ? 409 : 422,
        expect.stringMatching(reason),
      ])
    }
    expect((await cancel()).status).toBe(409)
  })

  it('stays when a change is cancelled, and deletes what was built', {
    timeout: 60_000,
  }, async () => {
    const ada = await aReader(app, base)
    await read(ada, 'kept.txt', 'The garden has a wall.')
    // A kept collection and its vectors expire.
    now = new Date(Date.now() + 15 * 86_400_000)
    await tendModels(app.deps)
    now = new Date(now.getTime() + 120_000)
    await tendModels(app.deps)
    expect(await listLibrary(app.deps)).toHaveLength(1)
    const tables = (await app.deps.vectors.names()).length
    const count = async () => {
      const { rows } = await sql`select from chunk_vectors where model = 'house/large'`.execute(app.deps.db)
      return rows.length
    }
    expect(await count()).toBe(0)
    const letGo = holdBuild()
    await change('house/large')
    expect((await cancel()).status).toBe(200)
    expect(await lastAudited(app, 'embedding_model.given_up')).toMatchObject({ subject: 'house/large' })
    letGo()
    expect([(await state()).model, (await state()).building]).toEqual(['house/small', null])
    expect(await app.deps.vectors.names()).toHaveLength(tables + 1)
    now = new Date(now.getTime() + 120_000)
    await tendModels(app.deps)
    expect(await app.deps.vectors.names()).toHaveLength(tables)
    expect(namesOf(await search(ada, 'wall of the garden'))).toEqual(['kept.txt'])
  })

  it('reports why a change stalls, and resumes it once the model answers', { timeout: 150_000 }, async () => {
    isDown = true
    await change('house/large')
    await expect
      .poll(async () => (await state()).building?.standstill, { timeout: 60_000 })
      .toMatch(/house|provider|server/i)
    isDown = false
    await expect
      .poll(
        async () => {
          await tendModels(app.deps)
          return (await state()).model
        },
        { timeout: 60_000 },
      )
      .toBe('house/large')
    expect(await without()).toEqual([])
  })

  it('can come from a folder of the installation; the list shows what is wrong with incomplete ones', {
    timeout: 60_000,
  }, async () => {
    const folder = join(models, 'embeddings')
    const table = [0, 1, 2, 3, 4, 5].map((at) => [at === 4 ? 1 : 0, at === 5 ? 1 : 0, 0.1])
    const config = { hidden_size: 3, max_position_embeddings: 64 }
    installModel(join(folder, 'tiny'), tinyModel(table), { 'config.json': config })
    mkdirSync(join(folder, 'half'))
    const { offered } = await state()
    expect(offered).toContainEqual(
      expect.objectContaining({ id: 'installed/half', problem: 'model.onnx is missing.' }),
    )
    expect(offered).toContainEqual(
      expect.objectContaining({ id: 'installed/tiny', dimensions: 3, problem: null }),
    )
    expect((await change('installed/half')).body.detail).toContain('model.onnx is missing.')
    const { body: cost } = await admin.call('GET', '/embedding-model/cost?model=installed/tiny')
    expect(cost.price).toBe(0)
    const ada = await aReader(app, base)
    await read(ada, 'lease.txt', 'The rent.')
    await read(ada, 'menu.txt', 'A soup.')
    expect((await change('installed/tiny')).status).toBe(202)
    await isSearchedBy('installed/tiny')
    expect(namesOf(await search(ada, 'rent'))[0]).toBe('lease.txt')
    expect(namesOf(await search(ada, 'soup'))[0]).toBe('menu.txt')
  })
})

describe('the cost of embedding', () => {
  it('is charged to the owner of the document, and absorbed when an administrator changes the model', {
    timeout: 60_000,
  }, async () => {
    const bob = await aReader(app, base)
    const booked = async () => {
      const entries = app.deps.db
        .selectFrom('ledger_entries')
        .select(['kind', 'model_name', 'reason', 'input_tokens', 'amount', 'unpriced'])
      const own = await entries.where('user_id', '=', bob.user.id).orderBy('created_at').limit(9).execute()
      return own.map(({ input_tokens, ...entry }) => ({ ...entry, hasTokens: Number(input_tokens) > 2 }))
    }
    await change('house/small')
    await isSearchedBy('house/small')
    await read(bob, 'garden.txt', 'The garden has ninety trees and a pond.')
    const entry = { reason: 'documents', amount: 0, unpriced: true, hasTokens: true }
    expect(await booked()).toEqual([{ ...entry, kind: 'usage', model_name: 'house/small' }])
    expect((await change('house/large')).status).toBe(202)
    await isSearchedBy('house/large')
    expect((await booked()).slice(1)).toEqual([{ ...entry, kind: 'absorbed', model_name: 'house/large' }])
  })
})
