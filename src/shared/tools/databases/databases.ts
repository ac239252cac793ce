import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { atMost, Id, label, Notice, text, trimmed } from '../../platform/primitives.ts'
import { MediaReference } from '../media/media.ts'

export const DatabaseKind = z.enum(['postgres', 'mysql', 'sqlite'])
export type DatabaseKind = z.infer<typeof DatabaseKind>

export const DEFAULT_PORTS: Record<DatabaseKind, number | null> = {
  postgres: 5432,
  mysql: 3306,
  sqlite: null,
}

/** Bounds of the limits of a query. */
export const MAX_QUERY_SECONDS = 300
export const MAX_QUERY_ROWS = 100_000
export const DEFAULT_QUERY_SECONDS = 30
export const DEFAULT_QUERY_ROWS = 10_000
const MAX_TABLES = 500
const MAX_COLUMNS = 500
const MAX_COMMENT = 500

const name = text(1, 128)

/** A column that the model may see. Sample values are chosen by the administrator. */
export const DatabaseColumn = z.object({
  name,
  type: text(0, 128),
  comment: z._default(text(0, MAX_COMMENT), ''),
  samples: z._default(z.array(text(0, 200)).check(atMost(5)), []),
})
export type DatabaseColumn = z.infer<typeof DatabaseColumn>

/** A table that the model may see, with its allowed columns. */
export const DatabaseTable = z.object({
  schema: text(0, 128),
  name,
  comment: z._default(text(0, MAX_COMMENT), ''),
  columns: z.array(DatabaseColumn).check(z.minLength(1), atMost(MAX_COLUMNS)),
})
export type DatabaseTable = z.infer<typeof DatabaseTable>

const connection = {
  kind: DatabaseKind,
  /** Host name or address; empty for SQLite. */
  host: z._default(trimmed(0, 253), ''),
  port: z._default(z.nullable(z.int().check(z.minimum(1), z.maximum(65_535))), null),
  /** Name of the database; for SQLite the file in ATRIUM_SQLITE_FOLDER. */
  database: trimmed(1, 500),
  role: z._default(trimmed(0, 128), ''),
  /** `verified`: TLS with a checked certificate. `unverified`: TLS without the check. `off`: no encryption. */
  tls: z._default(z.enum(['verified', 'unverified', 'off']), 'verified'),
}
const limits = {
  limit_seconds: z._default(z.int().check(z.minimum(1), z.maximum(MAX_QUERY_SECONDS)), DEFAULT_QUERY_SECONDS),
  limit_rows: z._default(z.int().check(z.minimum(1), z.maximum(MAX_QUERY_ROWS)), DEFAULT_QUERY_ROWS),
}

/** How a database is reached. `password` is sealed and never returned. */
export const NewDatabase = z.object({
  ...{ name: label(1, 100), ...connection, ...limits },
  password: z._default(text(0, 1_000), ''),
})
export type NewDatabase = z.infer<typeof NewDatabase>

/** The whole connection; without `password` the stored one stays. */
export const DatabaseChanges = z.object({
  ...{ name: label(1, 100), ...connection, ...limits },
  password: z.optional(text(0, 1_000)),
})
export type DatabaseChanges = z.infer<typeof DatabaseChanges>

export const Database = z.object({
  id: Id,
  name: z.string(),
  kind: DatabaseKind,
  host: z.string(),
  port: z.nullable(z.int()),
  database: z.string(),
  role: z.string(),
  tls: z.enum(['verified', 'unverified', 'off']),
  limit_seconds: z.int(),
  limit_rows: z.int(),
  has_password: z.boolean(),
  tables: z.array(DatabaseTable),
  created_at: z.string(),
})
export type Database = z.infer<typeof Database>

/** Tables of the database that its role may read, to choose from. */
export const FoundTable = z.object({
  schema: z.string(),
  name: z.string(),
  comment: z.string(),
  columns: z.array(z.object({ name: z.string(), type: z.string(), comment: z.string() })),
})
export type FoundTable = z.infer<typeof FoundTable>

/** The result of a connection test. `privileges` says what the role may do beyond reading; then the connection is refused. */
export const DatabaseTest = z.object({
  is_read_only: z.boolean(),
  privileges: z.array(z.string()),
  version: z.string(),
})
export type DatabaseTest = z.infer<typeof DatabaseTest>

const params = z.object({ databaseId: Id })
const fails = ['conflict', 'invalid', 'unavailable'] as const

export const listDatabases = route({
  method: 'GET',
  path: '/admin/databases',
  access: 'super_admin',
  summary: 'The databases that questions can be answered from, by name',
  answer: z.object({ items: z.array(Database), sqlite_folder: z.nullable(z.string()) }),
})

export const testDatabase = route({
  method: 'POST',
  path: '/admin/databases/test',
  access: 'super_admin',
  fails: [...fails, 'not_found'],
  summary: 'Connect to a database and ask it what the role may do; a role that may write is refused',
  body: z.object({ ...DatabaseChanges.shape, id: z.optional(Id) }),
  answer: DatabaseTest,
})

export const createDatabase = route({
  method: 'POST',
  path: '/admin/databases',
  access: 'super_admin',
  fails: [...fails],
  summary: 'Connect a database whose role may only read. Nobody may use it until it is granted',
  status: 201,
  body: NewDatabase,
  answer: Database,
})

export const updateDatabase = route({
  method: 'PUT',
  path: '/admin/databases/:databaseId',
  access: 'super_admin',
  fails: [...fails],
  summary: 'Change how a database is reached, after the same test',
  may: 'manage database',
  params,
  body: DatabaseChanges,
  answer: Database,
})

export const deleteDatabase = route({
  method: 'DELETE',
  path: '/admin/databases/:databaseId',
  access: 'super_admin',
  summary: 'Remove a database. Results in chats stay',
  may: 'manage database',
  params,
  answer: Notice,
})

export const listDatabaseTables = route({
  method: 'GET',
  path: '/admin/databases/:databaseId/tables',
  access: 'super_admin',
  fails: [...fails],
  summary: 'The tables and columns that the role of a database may read',
  may: 'manage database',
  params,
  answer: z.object({ items: z.array(FoundTable), is_cut: z.boolean() }),
})

export const setDatabaseTables = route({
  method: 'PUT',
  path: '/admin/databases/:databaseId/tables',
  access: 'super_admin',
  summary: 'Choose the tables, columns, comments and samples that models see',
  may: 'manage database',
  bodyLimit: 2 * 1024 * 1024,
  params,
  body: z.object({ tables: z.array(DatabaseTable).check(atMost(MAX_TABLES)) }),
  answer: Database,
})

/** One value of a result. Numbers that lose digits, times and other types are texts. */
export const Value = z.union([z.string(), z.number(), z.boolean(), z.null()])
export type Value = z.infer<typeof Value>

export const QueryResult = z.object({
  /** The execution that stores this result. */
  execution_id: z.string(),
  database: z.string(),
  /** The query as it was sent. */
  sent: z.string(),
  read_at: z.string(),
  /** Number of rows in the file. */
  row_count: z.int(),
  columns: z.array(z.object({ name: z.string(), is_number: z.boolean() })),
  /** The first rows. */
  rows: z.array(z.array(Value)),
  /** True when the database had more rows than the limit. */
  is_cut: z.boolean(),
  ms: z.int(),
  /** All rows as CSV; null when there are none. */
  file: z.nullable(MediaReference),
})
export type QueryResult = z.infer<typeof QueryResult>

/** The part of a database that a model may know. */
export const DatabaseSchema = z.object({
  id: z.string(),
  name: z.string(),
  dialect: z.string(),
  limit_rows: z.int(),
  limit_seconds: z.int(),
  tables: z.array(DatabaseTable),
})
export type DatabaseSchema = z.infer<typeof DatabaseSchema>

/** Gives a tool access to the databases of its person. */
export type DatabasePort = {
  /** Returns the databases that the person may use, with their allowed tables. */
  list: () => Promise<DatabaseSchema[]>
  /** Checks and runs one query. @throws AppError `invalid` for a refused query, `not_found`, `too_slow`, `unavailable` */
  query: (database: string, sql: string) => Promise<Omit<QueryResult, 'execution_id'>>
}
