import type { Kysely } from 'kysely'
import type { Tables } from './tables.ts'

/** The database as the features see it. */
export type Database = Kysely<Tables>
