import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { findLibrary } from '../../src/server/knowledge/collections/collections.ts'
import { reconcile } from '../../src/server/knowledge/search/search.ts'
import { parseConfig } from '../../src/server/platform/config/config.ts'
import { connect } from '../../src/server/platform/db/db.ts'
import type { Tables } from '../../src/server/platform/db/tables.ts'
import { createLog } from '../../src/server/platform/log.ts'
import { openVectors, type Vectors } from '../../src/server/platform/vectors/vectors.ts'
import type { Document } from '../../src/shared/knowledge/documents/documents.ts'
import { accountAt, signUp } from '../support/account.ts'
import { cleanAfterEach } from '../support/cleanups.ts'
import { cloneDatabase } from '../support/database.ts'
import { databaseUrl } from '../support/database-url.ts'
import { madeText } from '../support/made-library.ts'
import { type Product, startProduct } from '../support/product.ts'
import { readPlan } from './random.ts'

const plan = readPlan(3)
const { afterwards, aFolder } = cleanAfterEach()
const DOCUMENTS_A_ROUND = 4

async function upload(url: string, token: string, name: string, content: string): Promise<void> {
  const form = new FormData()
  form.set('file', new Blob([content]), name)
  const headers = { authorization: `Bearer ${token}` }
  const answer = await fetch(`${url}/api/v1/documents/upload`, { method: 'POST', headers, body: form })
  if (!answer.ok) throw new Error(`the upload answered ${answer.status}: ${await answer.text()}`)
}

/** Returns passages that only one of the two has. */
async function compare(db: Kysely<Tables>, vectors: Vectors) {
  const library = await findLibrary({ db })
  if (!library) throw new Error('there is no library')
  const rows = await vectors
    .table(library.table_name, library.spec)
    .read({ limit: 100_000, withVectors: true })
  const { rows: chunks } = await sql<{ id: string }>`
    select c.id from chunks c where exists (select from document_versions v where v.reading_id = c.reading_id)
    order by c.id limit 100000`.execute(db)
  const [held, wanted] = [new Set(rows.map(({ id }) => id)), new Set(chunks.map(({ id }) => id))]
  return {
    ...{ passages: wanted.size, twice: rows.length - held.size },
    orphans: [...held].filter((id) => !wanted.has(id)).length,
    missing: [...wanted].filter((id) => !held.has(id)).length,
    without_vector: rows.filter((row) => !row.vectors.default).length,
  }
}

describe('vector store and database', () => {
  it(`agree after ${plan.count} kills while documents are embedded and deleted`, {
    timeout: 180_000 + plan.count * 20_000,
  }, async () => {
    const { address, drop } = await cloneDatabase()
    afterwards(drop)
    const dataDir = aFolder('vector-store')
    const settings = {
      ...{ DATABASE_URL: databaseUrl(address), ATRIUM_EMBEDDING_MODEL: 'atrium/lexical' },
      ...{ ATRIUM_LIMIT_SHARE_PERCENT: '100', ATRIUM_SECRET_KEY: 'for this test alone, and longer than it' },
    }
    const start = () => startProduct({ dataDir, entry: 'src/server/main.ts', env: settings })
    let product: Product = await start()
    afterwards(() => product.kill())
    const { token } = await signUp(product.url)
    const list = async () =>
      (await accountAt(product.url, token).call<{ items: Document[] }>('GET', '/documents?limit=100')).items
    const deleteOne = async () => {
      const done = (await list()).filter(({ status }) => status === 'completed')
      const one = done[Math.floor(plan.random() * done.length)]
      if (!one) return
      const { call } = accountAt(product.url, token)
      await call('DELETE', `/documents/${one.id}`)
      await call('POST', '/trash/delete', { items: [{ kind: 'document', id: one.id }] })
    }
    for (let round = 0; round < plan.count; round += 1) {
      for (let n = 0; n < DOCUMENTS_A_ROUND; n += 1)
        await upload(product.url, token, `${round}-${n}.txt`, madeText(round * 10 + n, 4_000))
      await sleep(plan.random() * 2_500)
      // The kill comes during the deletion or just after it.
      const deleting = deleteOne().catch(() => undefined)
      await sleep(plan.random() * 150)
      await product.kill()
      await deleting
      product = await start()
    }
    await expect
      .poll(async () => (await list()).every(({ status }) => status === 'completed'), { timeout: 120_000 })
      .toBe(true)
    await product.stop()
    const log = createLog('silent')
    const connection = connect(address, log)
    const vectors = openVectors({ location: join(dataDir, 'vectors') })
    afterwards(async () => {
      vectors.close()
      await connection.close()
    })
    const { db } = connection
    const before = await compare(db, vectors)
    const config = parseConfig(settings)
    const mended = await reconcile({ db, vectors, config, log, clock: { now: () => new Date() } })
    const after = await compare(db, vectors)
    console.log('before, repaired, after:', JSON.stringify([before, mended, after]))
    expect(after.passages).toBeGreaterThan(0)
    expect(after).toMatchObject({ twice: 0, orphans: 0, missing: 0, without_vector: 0 })
  })
})
