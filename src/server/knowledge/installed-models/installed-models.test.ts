import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aUser } from '#tests/builders.ts'
import { aReader, type Reader } from '#tests/documents.ts'
import { installModel, tinyModel } from '#tests/tiny-onnx.ts'
import { install as runInstall } from './install.ts'
import { beginInstalling } from './store.ts'

const models = mkdtempSync(join(tmpdir(), 'atrium-models-'))
const published = mkdtempSync(join(tmpdir(), 'atrium-published-'))
/** Word vectors in which `rent` and `soup` are orthogonal. */
const table = [0, 1, 2, 3, 4, 5].map((at) => [at === 4 ? 1 : 0, at === 5 ? 1 : 0, 0.1])
const config = { 'config.json': { hidden_size: 3, max_position_embeddings: 64 } }
/** A reranker that scores `rent` up and `soup` down. */
const rerankerOf = (worth: number) =>
  tinyModel(
    [0, 0, 0, 0, worth, -worth].map((one) => [one]),
    { mean: true, output: 'logits' },
  )
const sumOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const wait = (name: string) => join(models, 'waiting', name)

/** Overrides the answers of the local hub, which otherwise serves the files in `published`. */
let answer: RequestListener | null = null
const hub = createServer((request, response) => {
  if (answer) return void answer(request, response)
  const file = join(published, decodeURIComponent(request.url ?? '').replace('/house/', ''))
  if (!existsSync(file)) return void response.writeHead(404).end()
  response.end(readFileSync(file))
})

let app: TestApp
let admin: Reader
let address: string
beforeAll(async () => {
  await new Promise<void>((resolve) => hub.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(hub.address() as AddressInfo).port}`
  address = `${origin}/house/tiny`
  app = await startApp({
    config: {
      ...{ ATRIUM_MODELS_DIR: models, ATRIUM_WEB_PRIVATE: origin, ATRIUM_LIMIT_MODEL_MB: '1' },
      ATRIUM_EMBEDDING_MODEL: 'atrium/lexical',
    },
  })
  admin = await aReader(app, `${await app.listen()}/api/v1`, await aUser(app, { role: 'super_admin' }))
})
afterAll(async () => {
  await app.close()
  hub.close()
  for (const folder of [models, published]) rmSync(folder, { recursive: true, force: true })
})

const list = async () => (await admin.call('GET', '/installed-models')).body
const install = (wish: object) => admin.call('POST', '/installed-models', { kind: 'embedding', ...wish })
const remove = (kind: string, name: string) => admin.call('DELETE', `/installed-models/${kind}/${name}`)
const find = async (name: string) =>
  (await list()).models.find((one: { name: string }) => one.name === name) ?? null
/** Waits for the end of an installation and returns the model. */
async function ended(name: string) {
  await expect.poll(async () => (await find(name))?.state, { timeout: 30_000 }).not.toBe('installing')
  return find(name)
}
const embeddings = async () =>
  (await admin.call('GET', '/embedding-model')).body.offered.map(({ id }: { id: string }) => id)
const rerankers = async () =>
  (await admin.call('GET', '/reranking/rerankers')).body.rerankers.map(({ name }: { name: string }) => name)

describe('an installed model', () => {
  it('is installed from a folder or an address, verified by hash, tested, offered, and removed [CX-19]', {
    timeout: 90_000,
  }, async () => {
    installModel(wait('tiny'), tinyModel(table), config)
    expect((await list()).waiting).toEqual([
      expect.objectContaining({ name: 'tiny', has_sums: true, problem: null }),
    ])
    const begun = await install({ name: 'house-small', source: { folder: 'tiny' } })
    expect([begun.status, begun.body.state]).toEqual([202, 'installing'])
    expect(await ended('house-small')).toMatchObject({
      ...{ id: 'installed/house-small', state: 'ready', problem: null, is_used: false },
      trial: { dimensions: 3, max_tokens: 64, milliseconds: expect.any(Number) },
    })
    expect(await embeddings()).toContain('installed/house-small')

    const model = rerankerOf(6)
    installModel(join(published, 'tiny'), model)
    const given = { kind: 'reranker', name: 'house-order', source: { address }, sums: sumOf(model) }
    expect((await install(given)).status).toBe(202)
    expect(await ended('house-order')).toMatchObject({
      ...{ id: 'house-order', state: 'ready', trial: { dimensions: null, max_tokens: 512 } },
    })
    expect(await rerankers()).toContain('house-order')
    expect(existsSync(join(models, 'arriving/reranker/house-order'))).toBe(false)

    expect((await remove('embedding', 'house-small')).status).toBe(200)
    expect((await remove('reranker', 'house-order')).status).toBe(200)
    expect(await embeddings()).not.toContain('installed/house-small')
    expect(await rerankers()).not.toContain('house-order')
    expect((await remove('reranker', 'house-order')).status).toBe(404)
    const { items } = (await admin.call('GET', '/admin/audit')).body
    expect(items.map(({ did }: { did: string }) => did).slice(0, 4)).toEqual([
      ...['model.removed', 'model.removed', 'model.installed', 'model.installed'],
    ])
  })

  it('installs a suggestion at its revision from a mirror, and verifies it by the listed hash [CX-19]', async () => {
    const asked: string[] = []
    const place = installModel(join(published, 'suggested'), tinyModel(table), config)
    answer = ({ url = '' }, response) => {
      asked.push(url)
      const name = url.replace(/^\/mirror\/Xenova\/multilingual-e5-small\/resolve\/[0-9a-f]{40}\//, '')
      if (!['tokenizer.json', 'config.json'].includes(name)) return void response.writeHead(404).end()
      response.end(readFileSync(join(place, name)))
    }
    try {
      const hub = new URL('/mirror/', address).href
      const source = { suggested: 'multilingual-e5-small', hub }
      expect((await install({ name: 'e5', source })).status).toBe(202)
      const { state, problem } = await ended('e5')
      expect([state, problem]).toEqual([
        'failed',
        expect.stringContaining('tokenizer.json is not what was stated'),
      ])
      expect(asked[0]).toMatch(/^\/mirror\/Xenova\/multilingual-e5-small\/resolve\/761b726d/)
      expect((await install({ name: 'other', source: { suggested: 'other', hub } })).status).toBe(404)
    } finally {
      answer = null
      await remove('embedding', 'e5')
    }
  }, 60_000)

  it('is found at the usual paths and behind redirects, and is verified by every stated hash', {
    timeout: 60_000,
  }, async () => {
    const model = tinyModel(table)
    const place = installModel(join(published, 'other'), model, config)
    const read = (name: string) => readFileSync(join(place, name))
    answer = ({ url = '' }, response) => {
      if (url.startsWith('/house/'))
        return void response.writeHead(302, { location: url.replace('house', 'cdn') }).end()
      const name = url.replace('/cdn/other/', '')
      if (name === 'onnx/model.onnx') return void response.end(model)
      if (!['tokenizer.json', 'config.json'].includes(name)) return void response.writeHead(404).end()
      response.end(read(name))
    }
    const source = { address: address.replace('tiny', 'other') }
    const lines = `${sumOf(model)}  onnx/model.onnx\n${sumOf(read('config.json'))} *config.json`
    await install({ name: 'behind', source, sums: lines })
    expect(await ended('behind')).toMatchObject({ state: 'ready', problem: null })
    await install({
      name: 'altered',
      source,
      sums: lines.replace(/.$/m, 'x').replace(sumOf(read('config.json')), sumOf(model)),
    })
    const altered = await ended('altered')
    answer = null
    expect(altered?.problem ?? '').toContain('config.json is not what was stated')
    await remove('embedding', 'altered')
    await remove('embedding', 'behind')
  })

  it.each<[string, { reply?: RequestListener; model?: Buffer; sums?: string; kind?: string }, string]>([
    ['another checksum', { sums: 'a'.repeat(64) }, 'model.onnx is not what was stated: its SHA-256 is'],
    ['an HTML page instead of a model', { model: Buffer.from('<html>') }, 'This model is not available'],
    [
      'a model that returns NaN',
      { model: tinyModel(table.map((row) => row.map(() => Number.NaN))) },
      'no numbers',
    ],
    [
      'a model that returns the same vector for every text',
      { model: tinyModel(table.map(() => [1, 1, 1])) },
      'the same vector',
    ],
    [
      'vectors of other dimensions',
      { model: tinyModel(table.map(() => [1, 1])) },
      'its vectors have 2 numbers',
    ],
    [
      'a reranker with inverted scores',
      { model: rerankerOf(-6), kind: 'reranker' },
      'above one that answers',
    ],
    ['a file that is too large', { model: Buffer.alloc(1_100_000) }, 'model.onnx has more than 1 MB'],
    [
      'an endless file',
      { reply: (_, response) => void endless(response) },
      'tokenizer.json has more than 64 MB',
    ],
    [
      'no files at the address',
      { reply: (_, response) => void response.writeHead(404).end() },
      'There is no tokenizer.json in http',
    ],
    [
      'an address that requires a sign-in',
      { reply: (_, response) => void response.writeHead(401).end() },
      'without a sign-in (401)',
    ],
    [
      'a hub that returns 502',
      { reply: (_, response) => void response.writeHead(502).end() },
      'answered with 502',
    ],
    [
      'a connection that closes early',
      { reply: (_, response) => void response.destroy() },
      'could not be reached',
    ],
    [
      'a redirect loop',
      { reply: ({ url }, response) => void response.writeHead(302, { location: url }).end() },
      'redirects too often',
    ],
    [
      'a redirect to a private network',
      { reply: (_, response) => void response.writeHead(302, { location: 'http://127.0.0.2:9/' }).end() },
      'is not an address of the public internet',
    ],
  ])('is not installed with %s, and states the problem', { timeout: 60_000 }, async (_, wrong, why) => {
    const { reply = null, model = tinyModel(table), sums = sumOf(model), kind = 'embedding' } = wrong
    rmSync(join(published, 'tiny'), { recursive: true, force: true })
    installModel(join(published, 'tiny'), model, config)
    answer = reply
    expect((await install({ kind, name: 'wrong', source: { address }, sums })).status).toBe(202)
    const found = await ended('wrong')
    answer = null
    expect(found).toMatchObject({ state: 'failed', trial: null })
    expect(found.problem).toContain(why)
    expect([await embeddings(), await rerankers()].flat()).not.toContain(found.id)
    expect(existsSync(join(models, 'arriving', kind, 'wrong'))).toBe(false)
    expect((await remove(kind, 'wrong')).status).toBe(200)
    expect(await find('wrong')).toBeNull()
  })

  it('is refused before the installation starts when the request is invalid', async () => {
    mkdirSync(wait('bare'), { recursive: true })
    installModel(wait('unsummed'), tinyModel(table), config)
    rmSync(join(wait('unsummed'), 'SHA256SUMS'))
    const waiting = (await list()).waiting
    expect(waiting).toContainEqual(
      expect.objectContaining({ name: 'bare', problem: 'model.onnx is missing.' }),
    )
    expect(waiting).toContainEqual(
      expect.objectContaining({ name: 'unsummed', has_sums: false, problem: null }),
    )
    const sums = 'a'.repeat(64)
    for (const [wish, status] of [
      [{ name: 'x', source: { folder: 'unsummed' } }, 422],
      [{ name: 'x', source: { folder: 'unsummed' }, sums: 'soup' }, 422],
      [{ name: 'x', source: { folder: 'nowhere' }, sums }, 404],
      [{ name: '../x', source: { folder: 'unsummed' }, sums }, 422],
      [{ name: 'x', source: { folder: '..' }, sums }, 422],
      [{ name: 'x', source: { address: 'ftp://example.com' }, sums }, 422],
      [{ name: 'x', source: { address: 'http://10.0.0.1/m.gguf' }, sums, kind: 'chat' }, 422],
      [{ name: 'x', source: { address: 'http://localhost:9/house' }, sums }, 422],
      [{ name: 'x', source: { address: 'https://ann:secret@models.example/house' }, sums }, 422],
      [{ name: 'x', source: { address } }, 422],
    ] as const)
      expect((await install(wish)).status).toBe(status)
    expect(await find('x')).toBeNull()
  })

  it('downloads no engine when its address has become a private one', async () => {
    const { db, config, clock } = app.deps
    const source = { address: 'http://10.0.0.1/m.gguf', sums: 'a'.repeat(64) }
    const named = { kind: 'chat', name: 'moved' } as const
    await beginInstalling(db, named, source, clock.now())
    await runInstall(app.deps, named, AbortSignal.timeout(30_000))
    expect(await find('moved')).toMatchObject({
      ...{ state: 'failed', problem: '10.0.0.1 is not an address of the public internet.' },
    })
    expect(existsSync(join(config.dataDir, 'engine'))).toBe(false)
    await remove('chat', 'moved')
  })

  it('is listed when it was added to the folder by hand, and tested on request', {
    timeout: 60_000,
  }, async () => {
    installModel(join(models, 'embeddings/by-hand'), tinyModel(table), config)
    mkdirSync(join(models, 'embeddings/half'))
    expect(await find('by-hand')).toMatchObject({ state: 'ready', trial: null, problem: null })
    expect(await find('half')).toMatchObject({ problem: 'model.onnx is missing.' })
    const tried = await admin.call('POST', '/installed-models/embedding/by-hand/try')
    expect(tried.body).toMatchObject({ trial: { dimensions: 3 }, problem: null })
    const half = await admin.call('POST', '/installed-models/embedding/half/try')
    expect(half.body).toMatchObject({ trial: null, problem: 'model.onnx is missing.' })
    expect((await install({ name: 'by-hand', source: { folder: 'tiny' } })).status).toBe(409)
  })

  it('cannot be removed while documents are searched with it', { timeout: 60_000 }, async () => {
    const change = (model: string) => admin.call('POST', '/embedding-model/change', { model })
    expect((await change('installed/by-hand')).status).toBe(202)
    const refused = await remove('embedding', 'by-hand')
    expect([refused.status, refused.body.detail]).toEqual([
      409,
      'Documents are searched or read with installed/by-hand: change the embedding model first.',
    ])
    expect(await find('by-hand')).toMatchObject({ is_used: true })
  })

  it('replaces an earlier model of the same name immediately', { timeout: 60_000 }, async () => {
    const rate = () =>
      app.deps.models
        .findReranker('again')
        .then((one) => one?.rate('rent', ['rent', 'soup'], new AbortController().signal, () => {}))
    const put = async (worth: number) => {
      const model = rerankerOf(worth)
      rmSync(wait('again'), { recursive: true, force: true })
      installModel(wait('again'), model)
      await install({ kind: 'reranker', name: 'again', source: { folder: 'again' } })
      expect(await ended('again')).toMatchObject({ state: 'ready' })
    }
    await put(6)
    const [strong = 0] = (await rate()) ?? []
    await remove('reranker', 'again')
    await put(1)
    const [weak = 1] = (await rate()) ?? []
    expect(weak).toBeLessThan(strong)
    await remove('reranker', 'again')
  })
})

/** Sends bytes until the client closes the connection. */
async function endless(response: Parameters<RequestListener>[1]): Promise<void> {
  const part = Buffer.alloc(1024 * 1024)
  while (!response.destroyed)
    if (!response.write(part))
      await new Promise((resolve) => response.once('drain', resolve).once('close', resolve))
}

describe('an uploaded chat model', () => {
  it.each(['', 'GG', 'GGUX', '<html>'])('is refused without the GGUF signature: “%s”', async (text) => {
    const name = `unsigned-${text.length}`
    const file = { name: 'm.gguf', content: Buffer.from(text) }
    expect((await admin.upload(file, `/installed-models/uploads/${name}`)).status).toBe(422)
    expect(existsSync(wait(name))).toBe(false)
  })

  it('is stored in a waiting folder when it has the signature', async () => {
    const file = { name: 'm.gguf', content: Buffer.from('GGUF…') }
    expect((await admin.upload(file, '/installed-models/uploads/signed')).status).toBe(201)
    expect(existsSync(wait('signed'))).toBe(true)
  })
})
