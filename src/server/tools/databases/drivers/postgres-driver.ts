import { Socket } from 'node:net'
import { Client, types } from 'pg'
import { AppError } from '#shared/platform/errors.ts'
import type { Value } from '#shared/tools/databases/databases.ts'
import { checkAnswers } from './check-answers.ts'
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
import { POSTGRES_COLUMNS, POSTGRES_PRIVILEGES } from './postgres-catalog.ts'

/** Rows per fetch. */
const BATCH = 200
const BOOLEAN = 16
/** int8, int2, int4, oid, float4, float8, numeric. */
const numbers = new Set([20, 21, 23, 26, 700, 701, 1700])
const asText = (text: string) => text
/** All values arrive as text; `readValue` decides by type. */
const plainTypes = { ...types, getTypeParser: () => asText }

export const postgresDriver: Driver = {
  inspect: (reach, signal) =>
    connected(reach, signal, async ({ client }) => {
      const { rows } = await client.query<{ privilege: string; version: string }>(POSTGRES_PRIVILEGES)
      const privileges = rows.flatMap(({ privilege }) => privilege ?? [])
      return {
        is_read_only: privileges.length === 0,
        privileges,
        version: `PostgreSQL ${rows[0]?.version ?? ''}`,
      }
    }),
  listTables: (reach, signal) =>
    connected(reach, signal, async ({ client }) => {
      const { rows } = await client.query(POSTGRES_COLUMNS, [MAX_LISTED_COLUMNS])
      return groupColumns(rows)
    }),
  run: (reach, { sql, signal, onColumns, onRow }) =>
    connected(reach, signal, async ({ client, begin }) => {
      await begin()
      await client.query(`set local search_path = pg_catalog`)
      // Newer servers end a query whose client is gone.
      await client.query(`savepoint s`)
      await client
        .query(`set local client_connection_check_interval = 2000`)
        .catch(() => client.query('rollback to savepoint s'))
      // A named statement takes the extended protocol, which carries one statement only.
      await client.query({ text: `declare atrium_rows no scroll cursor for ${sql}`, name: 'atrium_rows' })
      for (let isFirst = true; ; isFirst = false) {
        const text = `fetch forward ${BATCH} from atrium_rows`
        const { rows, fields } = await client.query<string[]>({ text, rowMode: 'array', types: plainTypes })
        if (isFirst)
          onColumns(fields.map(({ name, dataTypeID }) => ({ name, is_number: numbers.has(dataTypeID) })))
        for (const row of rows)
          if (!onRow(row.map((value, at) => readValue(value, fields[at]?.dataTypeID ?? 0)))) return
        if (rows.length < BATCH) return
      }
    }),
}

function readValue(text: string | null, type: number): Value {
  if (text === null) return null
  if (type === BOOLEAN) return text === 't'
  return numbers.has(type) ? readNumber(text) : cutText(text)
}

type Connected = { client: Client; begin: () => Promise<unknown> }

/** Opens a connection for some work, and closes it. On abort the server is asked to cancel. */
async function connected<T>(
  reach: Reach,
  signal: AbortSignal,
  work: (connection: Connected) => Promise<T>,
): Promise<T> {
  const socket = new Socket()
  const client = createClient(reach, socket)
  // Reported by the call that fails.
  client.on('error', () => undefined)
  let pid: number | null = null
  const stop = () => {
    const cancelled = pid === null ? Promise.resolve() : cancel(reach, pid)
    void waitForCancel(cancelled).then(() => socket.destroy())
  }
  const watched = watch(reach, signal, { received: () => socket.bytesRead, stop })
  try {
    await client.connect()
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    pid = rows[0]?.pid ?? null
    const timeout = reach.limit_seconds * 1000
    const begin = () => client.query(`begin read only; set local statement_timeout = ${timeout}`)
    return await work({ client, begin })
  } catch (error) {
    throw watched.reason() ?? explain(error, reach)
  } finally {
    watched.done()
    await Promise.race([
      client.end().catch(() => undefined),
      new Promise((done) => setTimeout(done, 1_000).unref()),
    ])
    socket.destroy()
  }
}

function createClient(
  { host, port, database, role, password, tls, server_name }: Reach,
  socket: Socket,
): Client {
  const client = new Client({
    ...{ host, port, database, user: role, password, application_name: 'Atrium' },
    ...{ connectionTimeoutMillis: CONNECT_MS, statement_timeout: 60_000 },
    ssl: tls === 'off' ? false : { rejectUnauthorized: tls === 'verified', servername: server_name },
    stream: () => socket,
  })
  checkAnswers(client)
  return client
}

async function cancel(reach: Reach, pid: number): Promise<void> {
  const socket = new Socket()
  const client = createClient(reach, socket)
  client.on('error', () => undefined)
  try {
    await client.connect()
    await waitForCancel(client.query('select pg_cancel_backend($1)', [pid]))
  } finally {
    void client.end().catch(() => undefined)
    socket.destroySoon()
  }
}

function explain(error: unknown, { limit_seconds }: Reach): unknown {
  if (error instanceof AppError) return error
  const { code = '', message = '' } = error as { code?: string; message?: string }
  if (code === '57014') return tooSlow(limit_seconds)
  // The server answered: a class and three letters or digits.
  const isAnswer = /^[0-9A-Z]{5}$/.test(code) && !/^(?:08|28|3D|53|57)/.test(code)
  return new AppError(
    isAnswer ? 'invalid' : 'unavailable',
    `The database refused this: ${message.slice(0, 500)}`,
  )
}
