import { connect as connectSocket, type Socket } from 'node:net'
import { type Connection, createConnection, type FieldPacket, type RowDataPacket } from 'mysql2'
import { AppError } from '#shared/platform/errors.ts'
import type { Value } from '#shared/tools/databases/databases.ts'
import {
  CONNECT_MS,
  cutText,
  type Driver,
  groupColumns,
  MAX_LISTED_COLUMNS,
  type Reach,
  readNumber,
  tooSlow,
  waitForCancel,
  watch,
} from './driver.ts'

/** Numbers of the types DECIMAL, TINY, SHORT, LONG, FLOAT, DOUBLE, LONGLONG, INT24, YEAR, NEWDECIMAL. */
const numbers = new Set([0, 1, 2, 3, 4, 5, 8, 9, 13, 246])
/** Privileges that only read. */
const reading = new Set(['USAGE', 'SELECT', 'SHOW VIEW', 'SHOW DATABASES'])

export const mysqlDriver: Driver = {
  inspect: (reach, signal) =>
    connected(reach, signal, async (ask) => {
      const [version] = await ask('select version() as version')
      const grants = await ask('show grants')
      const privileges = grants.flatMap((row) => describeGrant(String(Object.values(row)[0] ?? '')))
      const unique = [...new Set(privileges)].slice(0, 50)
      return {
        is_read_only: unique.length === 0,
        privileges: unique,
        version: nameVersion(String(version?.version)),
      }
    }),
  listTables: (reach, signal) =>
    connected(reach, signal, async (ask) => {
      const rows = await ask(
        `select c.table_schema as \`schema\`, c.table_name as \`table\`, t.table_comment as comment,
          c.column_name as name, c.column_type as type, c.column_comment as note
        from information_schema.columns c join information_schema.tables t
          on t.table_schema = c.table_schema and t.table_name = c.table_name
        where c.table_schema = database() order by c.table_name, c.ordinal_position limit ${MAX_LISTED_COLUMNS}`,
      )
      const text = (value: unknown) => String(value ?? '')
      return groupColumns(
        rows.map(({ schema, table, comment, name, type, note }) => ({
          ...{ schema: text(schema), table: text(table), comment: text(comment), name: text(name) },
          ...{ type: text(type), note: text(note) },
        })),
      )
    }),
  run: (reach, { sql, signal, onColumns, onRow }) =>
    connected(reach, signal, async (ask, connection) => {
      const [row] = await ask('select version() as version')
      const isMaria = /mariadb/i.test(String(row?.version))
      await ask(`set session sql_mode = 'PIPES_AS_CONCAT,STRICT_ALL_TABLES'`)
      const limit = isMaria
        ? `max_statement_time = ${reach.limit_seconds}`
        : `max_execution_time = ${reach.limit_seconds * 1000}`
      await ask(`set session ${limit}, sql_select_limit = ${reach.limit_rows + 1}`)
      await ask('start transaction read only')
      await readRows(connection, sql, { onColumns, onRow })
    }),
}

const nameVersion = (version: string) =>
  /mariadb/i.test(version) ? `MariaDB ${version.split('-')[0]}` : `MySQL ${version}`

const GRANT = 'GRANT '

/** Returns what a line of SHOW GRANTS allows beyond reading. */
function describeGrant(line: string): string[] {
  const upper = line.toUpperCase()
  if (!upper.startsWith(GRANT)) return []
  const on = upper.indexOf(' ON ', GRANT.length + 1)
  const to = upper.indexOf(' TO ', on < 0 ? GRANT.length + 1 : on + ' ON '.length + 1)
  if (to < 0) return []
  if (on < 0) return [`member of ${line.slice(GRANT.length, to).replaceAll('`', '')}`]
  const where = line.slice(on + ' ON '.length, to)
  const names = withoutColumns(line.slice(GRANT.length, on)).split(',')
  const strong = names.map((name) => name.trim().toUpperCase()).filter((name) => !reading.has(name))
  if (/WITH GRANT OPTION/i.test(line)) strong.push('GRANT OPTION')
  return strong.map((name) => `${name} on ${where.replaceAll('`', '')}`)
}

/** Removes the lists of columns behind privileges. */
function withoutColumns(privileges: string): string {
  return privileges
    .split('(')
    .map((part, at) => (at === 0 ? part : part.slice(part.indexOf(')') + 1)))
    .join('')
}

type Wanted = {
  onColumns: (columns: { name: string; is_number: boolean }[]) => void
  onRow: (row: Value[]) => boolean
}

/** Reads rows as they arrive; the connection is paused while they are taken. */
function readRows(connection: Connection, sql: string, { onColumns, onRow }: Wanted): Promise<void> {
  return new Promise((resolve, reject) => {
    const asked = connection.query({ sql, rowsAsArray: true, typeCast: false })
    let types: (number | undefined)[] = []
    let isOver = false
    asked.on('error', reject)
    asked.on('fields', (fields: FieldPacket[]) => {
      types = fields.map(({ columnType, type }) => columnType ?? type)
      onColumns(fields.map(({ name }, at) => ({ name, is_number: numbers.has(types[at] ?? -1) })))
    })
    asked.on('result', (row: unknown) => {
      if (isOver || !Array.isArray(row)) return
      isOver = !onRow(row.map((value: unknown, at) => readValue(value, types[at] ?? -1)))
      if (isOver) resolve()
    })
    asked.on('end', () => resolve())
  })
}

function readValue(value: unknown, type: number): Value {
  if (value === null || value === undefined) return null
  const text = Buffer.isBuffer(value) ? value.toString('utf8') : String(value)
  return numbers.has(type) ? readNumber(text) : cutText(text)
}

type Ask = (sql: string) => Promise<RowDataPacket[]>

async function connected<T>(
  reach: Reach,
  signal: AbortSignal,
  work: (ask: Ask, connection: Connection) => Promise<T>,
): Promise<T> {
  const socket = connectSocket({ host: reach.host, port: reach.port })
  const connection = open(reach, socket)
  // Reported by the call that fails.
  connection.on('error', () => undefined)
  let isConnected = false
  const stop = () => {
    const cancelled = isConnected ? cancel(reach, connection.threadId) : Promise.resolve()
    void waitForCancel(cancelled).then(() => connection.destroy())
  }
  const watched = watch(reach, signal, { received: () => socket.bytesRead, stop })
  const closed = new Promise<never>((_, reject) =>
    socket.once('close', () => reject(new Error('The connection closed.'))),
  )
  closed.catch(() => undefined)
  try {
    await Promise.race([opened(connection), closed])
    isConnected = true
    return await Promise.race([work((sql) => ask(connection, sql), connection), closed])
  } catch (error) {
    throw watched.reason() ?? explain(error, reach)
  } finally {
    watched.done()
    connection.destroy()
    socket.destroy()
  }
}

function open({ role, password, database, tls, server_name }: Reach, stream: Socket): Connection {
  const verified = { rejectUnauthorized: tls === 'verified', verifyIdentity: tls === 'verified' }
  return createConnection({
    ...{ user: role, password, database, stream, host: server_name, connectTimeout: CONNECT_MS },
    ...{ charset: 'utf8mb4', flags: ['-LOCAL_FILES'], multipleStatements: false, dateStrings: true },
    ...{ supportBigNumbers: true, bigNumberStrings: true },
    ...(tls === 'off' ? {} : { ssl: verified }),
  })
}

const opened = (connection: Connection) =>
  new Promise<void>((resolve, reject) => connection.connect((error) => (error ? reject(error) : resolve())))

const ask = (connection: Connection, sql: string) =>
  new Promise<RowDataPacket[]>((resolve, reject) =>
    connection.query<RowDataPacket[]>(sql, (error, rows) => (error ? reject(error) : resolve(rows))),
  )

async function cancel(reach: Reach, thread: number): Promise<void> {
  const connection = open(reach, connectSocket({ host: reach.host, port: reach.port }))
  connection.on('error', () => undefined)
  try {
    await opened(connection)
    await waitForCancel(ask(connection, `kill query ${Math.trunc(thread)}`))
  } finally {
    connection.destroy()
  }
}

function explain(error: unknown, { limit_seconds }: Reach): unknown {
  if (error instanceof AppError) return error
  const {
    errno = 0,
    message = '',
    sqlState,
  } = error as { errno?: number; message?: string; sqlState?: string }
  // Interrupted by the time limit of MySQL or of MariaDB.
  if (errno === 3024 || errno === 1969) return tooSlow(limit_seconds)
  const isAnswer = sqlState !== undefined && !/^(?:08|28)/.test(sqlState)
  return new AppError(
    isAnswer ? 'invalid' : 'unavailable',
    `The database refused this: ${message.slice(0, 500)}`,
  )
}
