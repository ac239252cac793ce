import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Log } from '../log.ts'
import { lowerPriority } from '../process/lower-priority.ts'
import { keepPlans } from './plan-once.ts'
import type { Tables } from './tables.ts'

/** The database handle that features use. */
export type Database = Kysely<Tables>

/** Address of a PostgreSQL server: a URL, or the socket of the embedded one. */
export type Address = { url: string } | { host: string; port: number; user: string; database: string }

export type Connection = {
  db: Database
  /** For features Kysely lacks: LISTEN, advisory locks, the job queue. */
  pool: pg.Pool
  /** Opens a connection outside the pool. The caller ends it. */
  connectAlone: () => Promise<pg.Client>
  close: () => Promise<void>
}

const bigint = 20
const numeric = 1700

/** bigint and numeric are read as numbers: stream ids and cents stay far below 2⁵³. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === bigint || oid === numeric
      ? Number
      : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
}

/** Connections per process. One of them listens for jobs. */
const MAX_CONNECTIONS = 12

type Options = {
  max?: number
  /** Lowers the CPU priority of its connections if the database runs on this machine as the same user. */
  givesWay?: boolean
}

/** Opens a pool. It connects at the first query. */
export function connect(
  address: Address,
  log: Log,
  { max = MAX_CONNECTIONS, givesWay = false }: Options = {},
): Connection {
  const settings = { ...clientSettings(address), types, keepAlive: true, connectionTimeoutMillis: 10_000 }
  const pool = new pg.Pool({ ...settings, max, idleTimeoutMillis: 30_000 })
  let isClosing = false
  // An unhandled error on an idle connection would end the process. The pool forgets its connections before their
  // sockets close, so a database that stops right afterwards still reports errors to them.
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
      // A Kysely instance that ran no query leaves its pool open.
      if (!pool.ended) await pool.end()
    },
  }
}

/** Returns the process id of a connection. PostgreSQL runs one process per connection. */
function processOf(client: pg.PoolClient): number {
  return (client as pg.PoolClient & { processID: number }).processID
}

const LOW_PRIORITY = 15

function clientSettings(address: Address): pg.ClientConfig {
  const common = { application_name: 'atrium' }
  return 'url' in address ? { connectionString: address.url, ...common } : { ...address, ...common }
}
