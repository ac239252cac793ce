import { AppError } from '#shared/platform/errors.ts'
import type { DatabaseKind, DatabaseTest, FoundTable, Value } from '#shared/tools/databases/databases.ts'
import type { AllowedTable } from '../checking/checking.ts'

/** How a database is reached. `host` is a checked address; `server_name` the name that its certificate must have. */
export type Reach = {
  kind: DatabaseKind
  host: string
  server_name: string
  port: number
  /** Name of the database; for SQLite the path of its file. */
  database: string
  role: string
  password: string
  tls: 'verified' | 'unverified' | 'off'
  limit_seconds: number
  limit_rows: number
}

export type Column = { name: string; is_number: boolean }
export type Query = {
  /** The checked text. */
  sql: string
  tables: readonly AllowedTable[]
  signal: AbortSignal
  onColumns: (columns: Column[]) => void
  /** Takes a row. Returns false when no more rows are wanted. */
  onRow: (row: Value[]) => boolean
}

/** A kind of database server. Every call opens one connection and closes it. */
export type Driver = {
  /** Asks the server what the role may do. */
  inspect: (reach: Reach, signal: AbortSignal) => Promise<DatabaseTest>
  listTables: (reach: Reach, signal: AbortSignal) => Promise<FoundTable[]>
  /** Runs a query in a read-only transaction. Cancels it at the server when the signal aborts. @throws AppError, the signal's reason */
  run: (reach: Reach, query: Query) => Promise<void>
}

/** Time to connect, in milliseconds. */
export const CONNECT_MS = 10_000
/** Time for the server to cancel a query before its connection is closed, in milliseconds. */
const CANCEL_MS = 3_000
/** Maximum bytes that one query may receive. */
export const MAX_RECEIVED_BYTES = 64 * 1024 * 1024
/** Maximum characters of one value; a longer one is cut. */
const MAX_VALUE_CHARACTERS = 10_000
/** Maximum listed columns of a database. */
export const MAX_LISTED_COLUMNS = 20_000

export function cutText(text: string): string {
  return text.length <= MAX_VALUE_CHARACTERS ? text : `${text.slice(0, MAX_VALUE_CHARACTERS).toWellFormed()}…`
}

/** Returns a number if it keeps all digits, otherwise the text. */
export function readNumber(text: string): number | string {
  const number = Number(text)
  if (!Number.isFinite(number)) return cutText(text)
  const plain = text.includes('.') ? withoutZeros(text) : text
  return String(number) === plain.replace(/^\+/, '') ? number : cutText(text)
}

/** Removes the zeros at the end of decimals, and the point when none is left. */
function withoutZeros(text: string): string {
  let end = text.length
  while (text[end - 1] === '0') end -= 1
  return text.slice(0, text[end - 1] === '.' ? end - 1 : end)
}

/** Puts the rows of a catalogue, one per column, together by table. */
export function groupColumns(
  rows: readonly {
    schema: string
    table: string
    comment: string
    name: string
    type: string
    note: string
  }[],
): FoundTable[] {
  const tables = new Map<string, FoundTable>()
  for (const { schema, table, comment, name, type, note } of rows) {
    const key = `${schema}\n${table}`
    const known = tables.get(key) ?? { schema, name: table, comment: comment.slice(0, 500), columns: [] }
    known.columns.push({ name, type, comment: note.slice(0, 500) })
    tables.set(key, known)
  }
  return [...tables.values()]
}

export const tooMuch = () =>
  new AppError('too_large', 'The query returned more than 64 MB. Ask for fewer columns or rows.')
export const tooSlow = (seconds: number) =>
  new AppError(
    'too_slow',
    `The database needed more than ${seconds} s for this query. Ask for less at a time.`,
  )

/** Waits until a server has cancelled a query, has refused to, or has had its time. */
export async function waitForCancel(cancelled: Promise<unknown>): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, CANCEL_MS)
  await Promise.race([cancelled.catch(() => undefined), late])
  clearTimeout(timer)
}

/** Stops a query on abort, at its time limit, and when its connection has received too much. */
export function watch(
  { limit_seconds }: Reach,
  signal: AbortSignal,
  { received, stop }: { received: () => number; stop: () => void },
) {
  let reason: unknown = null
  const end = (why: unknown) => {
    if (reason !== null) return
    reason = why
    stop()
  }
  const onAbort = () => end(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  const late = setTimeout(() => end(tooSlow(limit_seconds)), limit_seconds * 1000 + 1_000)
  const size = setInterval(() => received() > MAX_RECEIVED_BYTES && end(tooMuch()), 50)
  if (signal.aborted) onAbort()
  return {
    /** Why the query was stopped; null when it was not. */
    reason: () => reason,
    done: () => {
      signal.removeEventListener('abort', onAbort)
      clearTimeout(late)
      clearInterval(size)
    },
  }
}
