import type { Kysely } from 'kysely'
import type { Tables } from './tables.ts'

export { type Address, type Connection, connect } from './connect.ts'
export { cleanCharacters, toJson } from './json.ts'
export { listMigrations, MigrationError, migrate } from './migrate.ts'
export { planOnce } from './plan-once.ts'
export { borrowPostgres, PostgresError, startPostgres } from './postgres/postgres.ts'
export { explainRefusal, isDiskFull, isUnreachable, isUnstorableText } from './trouble.ts'
export { withinBytes } from './within-bytes.ts'

/** The database as the features see it. */
export type Database = Kysely<Tables>
