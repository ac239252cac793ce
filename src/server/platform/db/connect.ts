import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Log } from '../log.ts'
import { lowerPriority } from '../process/lower-priority.ts'
import { keepPlans } from './plan-once.ts'
import type { Tables } from './tables.ts'

/** The database as the features see it. */
export type Database = Kysely<Tables>

/** Where a PostgreSQL is: by URL, or the embedded one by its socket. */
export type Address = { url: string } | { host: string; port: number; user: string; database: string }

export type Connection = {
  db: Database
  /** For what Kysely has no words for: LISTEN, advisory locks, the job queue. */
  pool: pg.Pool
  /** A connection of its own outside the pool, connected; the caller ends it. */
  connectAlone: () => Promise<pg.Client>
  close: () => Promise<void>
}

const bigint = 20
const numeric = 1700

/** bigint and numeric come as numbers: stream ids and cents stay far below 2⁵³. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === bigint || oid === numeric
      ? Number
      : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
}

type Options = {
  max?: number
  /** Its work gives way to that of other connections, where the database runs on this machine as ours. */
  givesWay?: boolean
}

/** Opens a pool; nothing is connected before the first query. */
export function connect(
  address: Address,
  log: Log,
  { max = 12, givesWay = false }: Options = {},
): Connection {
  const settings = { ...clientSettings(address), types, keepAlive: true, connectionTimeoutMillis: 10_000 }
  const pool = new pg.Pool({ ...settings, max, idleTimeoutMillis: 30_000 })
  let isClosing = false
  // Without a listener an error on an idle connection ends the process. The pool stops waiting for its connections
  // before their sockets are closed, so a database that stops right after it still reports to them.
  const report = (error: Error) => {
    if (!isClosing) log.warn({ error }, 'A database connection broke.')
  }
  pool.on('error', report)
  pool.on('connect', (client) => {
    client.on('error', () => undefined)
    keepPlans(client)
    if (givesWay && !('url' in address)) lowerPriority(LOW_PRIORITY, processOf(client))
  })
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  return {
    db,
    pool,
    connectAlone: async () => {
      const client = new pg.Client(settings)
      client.on('error', report)
      await client.connect()
      return client
    },
    close: async () => {
      isClosing = true
      await db.destroy()
      // A Kysely that was never asked anything leaves its pool open.
      if (!pool.ended) await pool.end()
    },
  }
}

/** PostgreSQL serves each connection by a process of its own. */
function processOf(client: pg.PoolClient): number {
  return (client as pg.PoolClient & { processID: number }).processID
}

const LOW_PRIORITY = 15

function clientSettings(address: Address): pg.ClientConfig {
  const common = { application_name: 'atrium' }
  return 'url' in address ? { connectionString: address.url, ...common } : { ...address, ...common }
}
