import type pg from 'pg'

/** Rows as text of the table's row type, which PostgreSQL reads back without loss. */
export type Rows = { columns: string[]; rows: string[] }

/** Tables of current processes and readers, and the migration list, which are not backed up. */
const notKept = [
  'instances',
  'schema_migrations',
  'balance_reservations',
  'user_events',
  'unfinished_restore',
]
/** Approximate bytes read or written per batch. */
const batchBytes = 4 << 20
const rowsMax = 2_000
const partBytes = 16 << 20

/** Settings that print dates and numbers the same on any server. */
export const plainForm =
  "set local datestyle to 'ISO, YMD'; set local intervalstyle to postgres; set local timezone to 'UTC'; set local bytea_output to hex; set local extra_float_digits to 1; set local xmloption to content"

/** Returns the backed-up tables by name. */
export async function listTables(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
     and relname <> all($1) order by relname`,
    [notKept],
  )
  return rows.map(({ name }) => name)
}

/** Returns the applied migrations in order; empty when there are none. */
export async function listApplied(client: pg.ClientBase): Promise<string[]> {
  const { rows: found } = await client.query(
    "select to_regclass('public.schema_migrations') is not null as is_there",
  )
  if (!found[0]?.is_there) return []
  const { rows } = await client.query<{ name: string }>('select name from schema_migrations order by name')
  return rows.map(({ name }) => name)
}

/** Yields all rows of a table in batches, inside a transaction. */
export async function* readTable(client: pg.ClientBase, table: string): AsyncGenerator<Rows> {
  const columns = await listColumns(client, table)
  const name = client.escapeIdentifier(table)
  await client.query(
    `declare kept no scroll cursor for select (one.*)::text as row from public.${name} as one`,
  )
  let count = 100
  for (;;) {
    const { rows } = await client.query<{ row: string }>(`fetch ${count} from kept`)
    if (rows.length === 0) break
    yield* split({ columns, rows: rows.map(({ row }) => row) })
    const bytes = rows.reduce((sum, { row }) => sum + row.length, 0)
    count = Math.max(1, Math.min(rowsMax, count * 4, Math.floor((rows.length * batchBytes) / bytes)))
  }
  await client.query('close kept')
}

/** Splits rows into parts of at most `partBytes` or one row, because rows may be larger than in the last batch. */
function* split({ columns, rows }: Rows): Generator<Rows> {
  let part: string[] = []
  let bytes = 0
  for (const row of rows) {
    if (part.length > 0 && bytes + row.length > partBytes) {
      yield { columns, rows: part }
      part = []
      bytes = 0
    }
    part.push(row)
    bytes += row.length
  }
  yield { columns, rows: part }
}

/** Inserts rows into a table with the same columns. @throws Error when the table is missing or has others */
export async function addRows(client: pg.ClientBase, table: string, { columns, rows }: Rows): Promise<void> {
  const found = await listColumns(client, table)
  if (found.join() !== columns.join())
    throw new Error(`the table ${table} is none of its version, or has other columns`)
  const name = client.escapeIdentifier(table)
  const written = await listColumns(client, table, { counted: false })
  const list = written.map((column) => client.escapeIdentifier(column)).join()
  await client.query(
    `insert into public.${name} (${list}) select ${list} from unnest($1::public.${name}[]) as one`,
    [rows],
  )
}

/** Tables that the first start fills before any use. */
const firstStart = ['key_checks', 'push_keys']

/** Deletes the rows of a first start, to make room for those of the archive. */
export async function forgetFirstStart(client: pg.ClientBase): Promise<void> {
  for (const table of await listTables(client))
    if (firstStart.includes(table)) await client.query(`delete from public.${table}`)
}

/** Returns whether any backed-up table has rows from use. */
export async function hasRows(client: pg.ClientBase): Promise<boolean> {
  for (const table of await listTables(client)) {
    if (firstStart.includes(table)) continue
    const { rowCount } = await client.query(`select from public.${client.escapeIdentifier(table)} limit 1`)
    if (rowCount) return true
  }
  return false
}

/**
 * Drops the foreign keys while `load` runs, so that the order of tables does not matter, and restores them, which validates them.
 * Triggers are disabled, because the archive contains their results. Runs in the same
 * transaction as everything else.
 */
export async function withoutReferences(client: pg.ClientBase, load: () => Promise<void>): Promise<void> {
  const { rows } = await client.query<{ table: string; name: string; definition: string }>(
    `select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace order by oid`,
  )
  for (const { table, name } of rows)
    await client.query(`alter table ${table} drop constraint ${client.escapeIdentifier(name)}`)
  const tables = (await listTables(client)).map((name) => client.escapeIdentifier(name))
  for (const table of tables) await client.query(`alter table public.${table} disable trigger user`)
  await load()
  for (const table of tables) await client.query(`alter table public.${table} enable trigger user`)
  for (const { table, name, definition } of rows)
    await client.query(`alter table ${table} add constraint ${client.escapeIdentifier(name)} ${definition}`)
}

/** Returns the columns of a table in order; with `counted` also the generated ones. */
async function listColumns(client: pg.ClientBase, table: string, { counted = true } = {}): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select attname as name from pg_attribute
     where attrelid = to_regclass(format('public.%I', $1::text)) and attnum > 0 and not attisdropped
       and ($2 or attgenerated = '') order by attnum`,
    [table, counted],
  )
  return rows.map(({ name }) => name)
}
