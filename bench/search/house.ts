import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findLibrary } from '../../src/server/knowledge/collections/collections.ts'
import { parseConfig } from '../../src/server/platform/config/config.ts'
import { connect, migrate, startPostgres } from '../../src/server/platform/db/db.ts'
import { createLog } from '../../src/server/platform/log.ts'
import { openVectors } from '../../src/server/platform/vectors/vectors.ts'
import { aUser, type TestUser } from '../../tests/support/builders.ts'
import { databaseUrl } from '../../tests/support/database-url.ts'
import { startEmbeddingServer } from '../../tests/support/embedding-server.ts'
import { madeVectors, makeLibrary } from '../../tests/support/made-library.ts'
import { type Product, startProduct } from '../../tests/support/product.ts'

export const TENANTS = 20
export const DIMENSIONS = 384
/** Passages per document. */
const PASSAGES = 20
/** Questions are vectors of the same clusters that belong to no passage. */
const FIRST_QUESTION = 100_000_000

export type House = Awaited<ReturnType<typeof openHouse>>

/** The model of all passages' vectors, and another one with the same vectors, for a change of the model. */
export const MADE = 'bench/made'
export const OTHER = 'bench/other'

/**
 * Creates tenants with this many passages together, and a provider with the vectors of questions. `start` starts the
 * product. Data in `kept` is reused by the next run.
 */
export async function openHouse(
  size: number,
  texts: ReadonlyMap<string, number> = new Map(),
  kept: string | null = null,
) {
  const folder = kept ?? mkdtempSync(join(tmpdir(), 'atrium-search-'))
  mkdirSync(folder, { recursive: true })
  const location = join(folder, 'vectors')
  const log = createLog('warn')
  const postgres = await startPostgres({ dataDir: folder, log })
  const connection = connect(postgres.address, log)
  const vectorAt = madeVectors(DIMENSIONS)
  const otherAt = madeVectors(DIMENSIONS, 8)
  const questionVector = (text: string) => vectorAt(FIRST_QUESTION + (Number(text.split(' ').at(-1)) || 0))
  const vectorOf = (text: string, model: string) => {
    const at = texts.get(text) ?? FIRST_QUESTION + (Number(text.split(' ').at(-1)) || 0)
    return (OTHER.endsWith(model) ? otherAt : vectorAt)(at)
  }
  const provider = await startEmbeddingServer(vectorOf)
  const env = {
    ...{ DATABASE_URL: databaseUrl(postgres.address), ATRIUM_VECTORS_URL: location },
    ...{ ATRIUM_COMPATIBLE_URL: provider.url, ATRIUM_COMPATIBLE_NAME: 'bench' },
    ...{ ATRIUM_EMBEDDING_MODEL: MADE, ATRIUM_SECRET_KEY: randomBytes(16).toString('hex') },
    ...{ ATRIUM_LIMIT_SHARE_PERCENT: '100' },
  }
  const products: Product[] = []
  const close = async () => {
    for (const product of products) await product.stop()
    provider.close()
    await connection.close()
    await postgres.stop()
    if (!kept) rmSync(folder, { recursive: true, force: true })
  }
  try {
    await migrate(connection.pool)
    const { db } = connection
    const documents = size / TENANTS / PASSAGES
    const list = join(folder, 'people.json')
    const people: TestUser[] = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : []
    if (people.length === 0) {
      for (let n = 0; n < TENANTS; n += 1)
        people.push(await aUser({ deps: { db, clock: { now: () => new Date() } } }))
      const vectors = openVectors({ location })
      await makeLibrary(
        { db, vectors, config: parseConfig(env) },
        {
          ...{ people: people.map(({ id }) => id), documents, passages: PASSAGES, dimensions: DIMENSIONS },
          tell: (done) => done % 50_000 === 0 && console.error(`${done} of ${size} passages are stored`),
        },
      )
      const made = await findLibrary({ db })
      if (made) await vectors.tend(made.table_name, made.spec, { isQuiet: true })
      vectors.close()
      writeFileSync(list, JSON.stringify(people))
    }
    const library = await findLibrary({ db })
    if (!library) throw new Error('there is no library')
    const start = async (more: Record<string, string> = {}) => {
      const product = await startProduct({
        ...{ dataDir: join(folder, `data-${more.ATRIUM_ROLE ?? 'all'}`), entry: 'src/server/main.ts' },
        env: { ...env, ...more },
      })
      products.push(product)
      return product
    }
    /** Returns the passages whose vectors can be searched. */
    const countLive = async (): Promise<number> => {
      const live = await findLibrary({ db })
      if (!live) return 0
      const store = openVectors({ location })
      let count = 0
      let after: string | undefined
      for (;;) {
        const rows = await store
          .table(live.table_name, live.spec)
          .read({ ...(after !== undefined && { after }), limit: 5_000, withVectors: true })
        count += rows.filter((row) => row.vectors.default).length
        after = rows.at(-1)?.id
        if (after === undefined) break
      }
      store.close()
      return count
    }
    return {
      countLive,
      people,
      location,
      library,
      documents,
      questionVector,
      vectorOf,
      db,
      start,
      close,
      folder,
    }
  } catch (error) {
    await close()
    throw error
  }
}
