import { startPostgres } from '../../src/server/platform/db/db.ts'
import { createLog } from '../../src/server/platform/log.ts'
import { databaseUrl } from '../support/database-url.ts'

/** Starts a database shared by several processes of the product, none of which supervises it. */
export async function startSharedDatabase(dataDir: string, options: { isDurable?: boolean } = {}) {
  const settings = { max_connections: '80' }
  const postgres = await startPostgres({ dataDir, log: createLog('silent'), settings, ...options })
  return {
    ...postgres,
    env: {
      DATABASE_URL: databaseUrl(postgres.address),
      ATRIUM_SECRET_KEY: 'of all that share this database',
    },
  }
}
