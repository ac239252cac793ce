import { connect, type Database } from '../../src/server/platform/db/db.ts'
import { createLog } from '../../src/server/platform/log.ts'
import { type Account, accountAt, signUp } from '../support/account.ts'
import { aDataFolder } from '../support/cleanups.ts'
import { type MadeWeb, startMadeWeb } from '../support/made-web.ts'
import { type ModelServer, startModelServer } from '../support/model-server.ts'
import { type Product, startProduct } from '../support/product.ts'
import { startSharedDatabase } from './shared-database.ts'

export type SearchingProduct = {
  model: ModelServer
  web: MadeWeb
  db: Database
  /** The account of its only person, at the current process. */
  account: () => Account
  /** Address of the current process. */
  url: () => string
  /** Kills the process and waits for its exit. */
  kill: () => Promise<void>
  start: () => Promise<void>
  close: () => Promise<void>
}

/** Starts a product whose searches use a fake web, and which can be killed and restarted with the same data. `more` are settings. */
export async function startSearchingProduct(
  name: string,
  more: Record<string, string> = {},
): Promise<SearchingProduct> {
  const model = await startModelServer()
  const web = await startMadeWeb()
  const database = await startSharedDatabase(aDataFolder(name), { isDurable: false })
  const dataDir = aDataFolder(`${name}-data`)
  const env = {
    ...{ ATRIUM_COMPATIBLE_URL: model.url, SEARXNG_URL: `${web.url}/searxng`, ATRIUM_WEB_PRIVATE: web.url },
    ...{ ATRIUM_EMBEDDING_MODEL: 'atrium/lexical', ATRIUM_WEB_CACHE_HOURS: '0' },
    ...database.env,
    ...more,
  }
  const begin = (): Promise<Product> => startProduct({ dataDir, env, entry: 'src/server/main.ts' })
  let product = await begin()
  const { db, close } = connect(database.address, createLog('silent'))
  const { token } = await signUp(product.url)
  return {
    ...{ model, web, db },
    url: () => product.url,
    account: () => accountAt(product.url, token),
    kill: () => product.kill(),
    start: async () => {
      product = await begin()
    },
    close: async () => {
      for (const end of [() => product.kill(), close, database.stop, model.close, web.close]) await end()
    },
  }
}
