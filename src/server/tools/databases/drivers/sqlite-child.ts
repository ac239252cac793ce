import { constants, DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'

type Task = {
  what: 'version' | 'tables' | 'query'
  path: string
  sql?: string
  tables?: { name: string; columns: string[] }[]
}

const BATCH = 200
const MAX_VALUE_CHARACTERS = 10_000
const MAX_LISTED_COLUMNS = 20_000
/** Memory of SQLite itself, in bytes. */
const MAX_HEAP_BYTES = 192 * 1024 * 1024

// A query blocks this thread. Another one notices that the server is gone.
new Worker(
  `const { ppid } = process
  setInterval(() => process.ppid !== ppid && process.kill(process.pid, 'SIGKILL'), 500)`,
  { eval: true },
).unref()

process.once('disconnect', () => process.exit())
let next: () => void = () => undefined
process.on('message', (message: Task | { more: true }) => {
  if ('more' in message) return next()
  work(message)
    .then(() => process.send?.({ done: true }))
    .catch((error) => process.send?.({ failed: error instanceof Error ? error.message : String(error) }))
})

async function work({ what, path, sql = '', tables = [] }: Task): Promise<void> {
  const db = new DatabaseSync(path, { readOnly: true, allowExtension: false })
  db.exec(`pragma hard_heap_limit = ${MAX_HEAP_BYTES}`)
  db.exec('pragma temp_store = file')
  db.exec('pragma query_only = on')
  db.enableDefensive(true)
  if (what === 'version')
    return void process.send?.({ version: db.prepare('select sqlite_version() as v').get()?.v })
  if (what === 'tables') return void process.send?.({ tables: listTables(db) })
  allowOnly(db, tables)
  await sendRows(db, sql)
}

/** SQLite itself asks before it reads a column. Everything but the allowed tables is denied. */
function allowOnly(db: DatabaseSync, tables: { name: string; columns: string[] }[]): void {
  const lower = (text: string | null) => (text ?? '').toLowerCase()
  const known = new Map(tables.map(({ name, columns }) => [lower(name), new Set(columns.map(lower))]))
  const views = db.prepare(`select name from sqlite_master where type = 'view'`).all()
  const knownViews = new Set(views.map(({ name }) => lower(String(name))).filter((name) => known.has(name)))
  db.setAuthorizer((action, first, second, _schema, view) => {
    const { SQLITE_SELECT, SQLITE_FUNCTION, SQLITE_RECURSIVE, SQLITE_READ, SQLITE_OK, SQLITE_DENY } =
      constants
    if (action === SQLITE_SELECT || action === SQLITE_RECURSIVE) return SQLITE_OK
    if (action === SQLITE_FUNCTION) return lower(second) === 'load_extension' ? SQLITE_DENY : SQLITE_OK
    if (action !== SQLITE_READ) return SQLITE_DENY
    // The tables behind an allowed view are read on behalf of it. SQLite names common table expressions here too.
    if (knownViews.has(lower(view))) return SQLITE_OK
    const columns = known.get(lower(first))
    return columns && (!second || columns.has(lower(second))) ? SQLITE_OK : SQLITE_DENY
  })
}

async function sendRows(db: DatabaseSync, sql: string): Promise<void> {
  const statement = db.prepare(sql)
  statement.setReadBigInts(true)
  statement.setReturnArrays(true)
  const names = statement.columns().map(({ name }) => name)
  let batch: unknown[][] = []
  let isFirst = true
  const flush = async () => {
    if (isFirst) {
      const is_number = (at: number) =>
        batch.some((row) => typeof row[at] === 'number') && batch.every(isNumberOrNull(at))
      process.send?.({ columns: names.map((name, at) => ({ name, is_number: is_number(at) })) })
    }
    isFirst = false
    if (batch.length === 0) return
    const { promise, resolve } = Promise.withResolvers<void>()
    next = resolve
    process.send?.({ rows: batch })
    batch = []
    await promise
  }
  for (const row of statement.iterate() as Iterable<unknown>) {
    batch.push((row as unknown[]).map(readValue))
    if (batch.length >= BATCH) await flush()
  }
  await flush()
}

const isNumberOrNull = (at: number) => (row: unknown[]) => row[at] === null || typeof row[at] === 'number'

function readValue(value: unknown): string | number | null {
  if (value === null || value === undefined) return null
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
  const text = value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value)
  return text.length <= MAX_VALUE_CHARACTERS ? text : `${text.slice(0, MAX_VALUE_CHARACTERS).toWellFormed()}…`
}

function listTables(db: DatabaseSync) {
  const rows = db
    .prepare(`select m.name as "table", c.name as name, c.type as type from sqlite_master m
      join pragma_table_info(m.name) c where m.type in ('table', 'view') and m.name not like 'sqlite_%'
      order by m.name, c.cid limit ${MAX_LISTED_COLUMNS}`)
    .all()
  const tables = Map.groupBy(rows, (row) => String(row.table))
  return [...tables].map(([name, columns]) => ({
    ...{ schema: 'main', name, comment: '' },
    columns: columns.map((column) => ({ name: String(column.name), type: String(column.type), comment: '' })),
  }))
}
