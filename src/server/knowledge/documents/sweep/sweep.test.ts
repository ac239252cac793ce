import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aUser } from '#tests/builders.ts'
import { cloneDatabase } from '#tests/database.ts'
import { databaseUrl } from '#tests/database-url.ts'
import { aReader } from '#tests/documents.ts'
import { type Product, startProduct } from '#tests/product.ts'
import { aDocument } from '#tests/stored-document.ts'
import { sweepFiles } from './sweep.ts'

const never = new AbortController().signal
const HOURS = 60 * 60 * 1000

let database: Awaited<ReturnType<typeof cloneDatabase>>
const dataDir = mkdtempSync(join(tmpdir(), 'atrium-sweep-'))
let late = 0
let app: TestApp
let product: Product
beforeAll(async () => {
  database = await cloneDatabase()
  app = await startApp({
    ...{ address: database.address, jobs: false, clock: { now: () => new Date(Date.now() + late) } },
    config: { ATRIUM_DATA_DIR: dataDir, ATRIUM_EMBEDDING_MODEL: 'atrium/lexical' },
  })
  product = await startProduct({
    ...{ dataDir, entry: 'src/server/main.ts' },
    env: { DATABASE_URL: databaseUrl(database.address), ATRIUM_EMBEDDING_MODEL: 'atrium/lexical' },
  })
})
afterAll(async () => {
  await product.kill()
  await app.close()
  await database.drop()
  rmSync(dataDir, { recursive: true, force: true })
})

async function keys(): Promise<string[]> {
  const found: string[] = []
  for await (const key of app.deps.files.list()) found.push(key)
  return found.sort()
}
const drafts = () => readdirSync(join(dataDir, 'files/.drafts'))

async function sweepAfter(hours: number): Promise<string[]> {
  late = hours * HOURS
  await sweepFiles(app.deps, never)
  return keys()
}

describe('files left behind by a killed process', () => {
  it('are removed after an hour when they have no row or are incomplete, and no others', async () => {
    const ada = await aReader(app, `${product.url}/api/v1`)
    const { body: kept } = await ada.upload({ name: 'kept.txt', content: 'It has a row.' })
    expect((await ada.processed(kept.id)).status).toBe('completed')
    const before = await keys()
    // One file is stored while its row waits for the table lock; another is half received.
    const hold = app.deps.db.transaction().execute(async (trx) => {
      await sql`lock table blobs in exclusive mode`.execute(trx)
      const cut = ada.upload({ name: 'cut.txt', content: 'It has none.' }).catch(() => null)
      const half = halfAnUpload(`${product.url}/api/v1/documents/upload`, ada.user.headers)
      await expect.poll(async () => (await keys()).length, { timeout: 20_000 }).toBe(before.length + 1)
      await expect.poll(() => drafts().length, { timeout: 20_000 }).toBe(1)
      await product.kill()
      await Promise.all([cut, half])
      throw new Error('let go')
    })
    await expect(hold).rejects.toThrow('let go')

    expect(await sweepAfter(0)).toHaveLength(before.length + 1)
    expect(await sweepAfter(0.9)).toHaveLength(before.length + 1)
    expect(drafts()).toHaveLength(1)
    expect(await sweepAfter(2)).toEqual(before)
    expect(drafts()).toEqual([])
    expect(await app.deps.db.selectFrom('stray_files').select('file_key').execute()).toEqual([])
  })

  it('are removed after an interrupted deletion', async () => {
    const user = await aUser(app)
    await aDocument(app, user)
    const of = (all: string[]) => all.filter((key) => key.includes(user.id))
    expect(of(await keys())).toHaveLength(1)
    await app.deps.db.deleteFrom('users').where('id', '=', user.id).execute()
    expect(of(await sweepAfter(3))).toHaveLength(1)
    expect(of(await sweepAfter(5))).toEqual([])
  })

  it('include files given as answers without a row', async () => {
    const { id: userId } = await aUser(app)
    const [known, stray] = ['known', 'stray'].map((name) => `input/${userId}/${name}`) as [string, string]
    for (const key of [known, stray]) await app.deps.files.write(key, Readable.from([Buffer.from('x')]))
    const row = { user_id: userId, file_key: known, name: 'a.txt', media_type: 'text/plain', size: 1 }
    await app.deps.db
      .insertInto('input_files')
      .values({ id: crypto.randomUUID(), ...row })
      .execute()
    const given = (all: string[]) => all.filter((key) => key.startsWith(`input/${userId}/`))
    await sweepAfter(6)
    expect(given(await sweepAfter(8))).toEqual([known])
  })

  it('include reading folders, removed once no reading can use them', async () => {
    const [old, young] = ['read-old', 'read-young'].map((name) => join(dataDir, 'work', name)) as [
      string,
      string,
    ]
    for (const folder of [old, young]) mkdirSync(folder, { recursive: true })
    const long = new Date(Date.now() - 3 * HOURS)
    utimesSync(old, long, long)
    await sweepAfter(0)
    expect([existsSync(old), existsSync(young)]).toEqual([false, true])
  })
})

/** Sends a form that never ends. */
async function halfAnUpload(url: string, headers: Record<string, string>): Promise<null> {
  const head = '--b\r\ncontent-disposition: form-data; name="file"; filename="half.txt"\r\n\r\n'
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(Buffer.concat([Buffer.from(head), Buffer.alloc(300_000, 'x')])),
  })
  const type = { 'content-type': 'multipart/form-data; boundary=b' }
  return fetch(url, { method: 'POST', headers: { ...headers, ...type }, body, duplex: 'half' } as RequestInit)
    .then(() => null)
    .catch(() => null)
}
