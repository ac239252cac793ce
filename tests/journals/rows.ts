import { type Insertable, sql } from 'kysely'
import { toJson } from '../../src/server/platform/db/db.ts'
import type { Tables } from '../../src/server/platform/db/tables.ts'
import type { TestApp } from '../support/app.ts'

/** The time of all recorded journals, including timestamps set by the database. */
export const RECORDED_AT = '2026-01-05T09:00:00.000Z'
/** Placeholder for the person in a recorded journal. */
export const PERSON = '00000000-0000-4000-8000-000000000000'
/** Placeholder for the process that held a run when it died. */
const HOLDER = 'the-process-that-died'

const tables = ['sessions', 'messages', 'runs', 'run_records', 'tool_executions', 'input_requests'] as const
type Table = (typeof tables)[number]
type Row = Record<string, unknown>
export type Rows = Record<Table, Row[]>

/** Columns that are computed or not part of a journal. */
const left = ['bytes', 'stored_bytes', 'updated_at', 'turned', 'fruitless', 'silent', 'title', 'preview']
const json = new Set([
  ...['value', 'input', 'result', 'request', 'answer', 'error'],
  ...['session_metadata', 'pending_input', 'blocks', 'metadata'],
])

/** Returns all stored rows of a person's runs, without empty values. */
export async function readRows({ deps: { db } }: TestApp, userId: string): Promise<Rows> {
  const read = async (table: Table, order: string): Promise<Row[]> => {
    const runs = sql`select id from runs where user_id = ${userId}`
    const sessions = sql`select id from sessions where user_id = ${userId}`
    const owned = {
      ...{ sessions: sql`user_id = ${userId}`, runs: sql`user_id = ${userId}` },
      ...{ messages: sql`session_id in (${sessions})`, run_records: sql`run_id in (${runs})` },
      ...{ tool_executions: sql`run_id in (${runs})`, input_requests: sql`run_id in (${runs})` },
    }[table]
    const { rows } = await sql<Row>`
      select * from ${sql.table(table)} where ${owned} order by ${sql.raw(order)}`.execute(db)
    return rows.map(tidy)
  }
  return {
    sessions: await read('sessions', 'created_at'),
    // A question and its reply may have the same time.
    messages: await read('messages', 'created_at, role desc'),
    runs: await read('runs', 'created_at'),
    run_records: await read('run_records', 'created_at'),
    tool_executions: await read('tool_executions', 'created_at'),
    input_requests: await read('input_requests', 'created_at'),
  }
}

function tidy(row: Row): Row {
  const kept = Object.entries(row).filter(([key, value]) => value !== null && !left.includes(key))
  return Object.fromEntries(
    kept.map(([key, value]) => {
      if (key === 'owner') return [key, HOLDER]
      if (!(value instanceof Date)) return [key, value]
      return [key, key === 'deadline' ? value.toISOString() : RECORDED_AT]
    }),
  )
}

/** Inserts a recorded journal into a database for this person. */
export async function writeRows({ deps: { db } }: TestApp, recorded: Rows, userId: string): Promise<void> {
  const rows = JSON.parse(JSON.stringify(recorded).replaceAll(PERSON, userId)) as Rows
  await db.transaction().execute(async (trx) => {
    for (const table of tables) {
      // Inserted together, because messages and runs reference others of their own table.
      const values = rows[table].map((row, at) => asRow(table, row, at))
      if (values.length === 0) continue
      await trx
        .insertInto(table)
        .values(values as Insertable<Tables[Table]>[])
        .execute()
    }
  })
}

function asRow(table: Table, row: Row, at: number): Row {
  const entries = Object.entries(row).map(([key, value]) => [key, json.has(key) ? toJson(value) : value])
  const title = table === 'sessions' ? { title: 'A recorded journal' } : {}
  // In order, a second apart.
  const created_at = new Date(Date.parse(RECORDED_AT) + at * 1000)
  return { ...Object.fromEntries(entries), ...title, created_at }
}

/** Returns the rows right before the end of a run. */
export function beforeTheEnd(rows: Rows, runId: string): Rows {
  const run = rows.runs.find(({ id }) => id === runId)
  const { finished_at: _, ...held } = run ?? {}
  const unwritten = { content: '', blocks: [], status: 'streaming' }
  return {
    ...rows,
    runs: rows.runs.map((row) => (row === run ? { ...held, state: 'running', owner: HOLDER } : row)),
    run_records: rows.run_records.filter(({ run_id, kind }) => run_id !== runId || kind !== 'end'),
    messages: rows.messages.map((row) => (row.id === run?.message_id ? { ...row, ...unwritten } : row)),
  }
}
