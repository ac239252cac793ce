import { Readable } from 'node:stream'
import { csvRow, csvStyles } from '#shared/platform/csv.ts'
import { AppError } from '#shared/platform/errors.ts'
import type { DatabasePort, QueryResult, Value } from '#shared/tools/databases/databases.ts'
import { noteSources } from '../../platform/access/classes/classes.ts'
import type { Platform } from '../../platform/platform.ts'
import type { RunContext } from '../../runs/runs/runs.ts'
import { keepMedia } from '../media/media.ts'
import { assertNotWithheld } from '../withholding/withholding.ts'
import { checkQuery } from './checking/checking.ts'
import type { Column } from './drivers/driver.ts'
import { driverOf, reachOf } from './reach.ts'
import { findDatabases, listDatabaseIds, type StoredDatabase } from './store.ts'

type Deps = Pick<Platform, 'db' | 'config' | 'files' | 'secrets' | 'grants'>
type Run = Pick<RunContext, 'id' | 'input'>

/** Limits of the rows that a result holds itself; all rows are in its file. */
const MAX_SHOWN_ROWS = 200
const MAX_SHOWN_CHARACTERS = 24_000
/** Maximum bytes of the file of a result. */
const MAX_FILE_BYTES = 32 * 1024 * 1024

const dialects = { postgres: 'PostgreSQL', mysql: 'MySQL', sqlite: 'SQLite' }

/** Returns whether a person may use any database. */
export async function mayUseDatabase(
  { db, grants }: Pick<Deps, 'db' | 'grants'>,
  userId: string,
): Promise<boolean> {
  const ids = await listDatabaseIds(db)
  if (ids.length === 0) return false
  const closed = await grants.closedTo(userId)
  return ids.some((id) => !closed.has('database', id))
}

/**
 * Gives a tool access to the databases that are open to the person of its run. None is open to visitors of an embedded assistant, nor to a
 * run that answers words of others, or whose reply is read outside.
 */
export function createDatabasePort(deps: Deps, run: Run, signal: AbortSignal): DatabasePort {
  const userId = run.input.user_id
  const listOpen = async () => {
    if (run.input.visitor) return []
    await assertNotWithheld(deps.db, run.input, 'databases')
    const [all, closed] = await Promise.all([findDatabases(deps.db), deps.grants.closedTo(userId)])
    return all.filter(({ id }) => !closed.has('database', id))
  }
  return {
    list: async () => {
      const open = await listOpen()
      // Tables and columns have names, comments and samples.
      const described = open.map(({ id }) => ({ kind: 'database' as const, id }))
      await noteSources(deps.db, described)
      return open.map(({ id, name, kind, limit_rows, limit_seconds, tables }) => ({
        ...{ id, name, dialect: dialects[kind], limit_rows, limit_seconds, tables },
      }))
    },
    query: async (named, sql) => {
      const open = await listOpen()
      const wanted = named.trim().toLowerCase()
      const stored = open.find(({ id, name }) => id === wanted || name.toLowerCase() === wanted)
      if (!stored) {
        const names = open.map(({ name }) => `“${name}”`).join(', ')
        throw new AppError(
          'not_found',
          `There is no database “${named}”. ${names ? `You may use ${names}.` : ''}`.trim(),
        )
      }
      await noteSources(deps.db, [{ kind: 'database', id: stored.id }])
      return runQuery(deps, { userId, runId: run.id }, stored, sql, signal)
    },
  }
}

async function runQuery(
  deps: Deps,
  owner: { userId: string; runId: string },
  stored: StoredDatabase,
  sql: string,
  signal: AbortSignal,
): Promise<Omit<QueryResult, 'execution_id'>> {
  const tables = stored.tables.map(({ schema, name, columns }) => ({
    ...{ schema, name },
    columns: columns.map((column) => column.name),
  }))
  const sent = await checkQuery({ kind: stored.kind, sql, tables })
  const password = stored.password_sealed === null ? '' : deps.secrets.open(stored.password_sealed)
  const [reach, driver] = await Promise.all([reachOf(deps, { ...stored, password }), driverOf(stored.kind)])
  const began = Date.now()
  const result = collectRows(stored.limit_rows)
  await driver.run(reach, { sql: sent, tables, signal, onColumns: result.onColumns, onRow: result.onRow })
  const ms = Date.now() - began
  const csv = result.file()
  const name = `${stored.name.replaceAll(/[^\p{L}\p{N}]+/gu, '-').slice(0, 60) || 'query'}-${began}.csv`
  const [file = null] =
    csv === null
      ? []
      : await keepMedia(deps, owner, [{ name, size: csv.length, open: () => Readable.from([csv]) }])
  const { columns, rows, row_count, is_cut } = result.state
  return {
    database: stored.name,
    sent,
    columns,
    rows,
    row_count,
    is_cut,
    read_at: new Date(began).toISOString(),
    ms,
    file,
  }
}

/** Takes the rows of a result within its limits. */
function collectRows(limit: number) {
  const state = { columns: [] as Column[], rows: [] as Value[][], row_count: 0, is_cut: false }
  const lines: string[] = []
  let characters = 0
  let bytes = 0
  return {
    state,
    onColumns: (columns: Column[]) => {
      state.columns = columns
    },
    onRow: (row: Value[]): boolean => {
      const line = csvRow(
        row.map((value) => (typeof value === 'boolean' ? String(value) : value)),
        csvStyles.en,
      )
      bytes += Buffer.byteLength(line)
      if (state.row_count >= limit || bytes > MAX_FILE_BYTES) {
        state.is_cut = true
        return false
      }
      lines.push(line)
      state.row_count += 1
      characters += line.length
      if (
        state.rows.length === state.row_count - 1 &&
        state.row_count <= MAX_SHOWN_ROWS &&
        characters <= MAX_SHOWN_CHARACTERS
      )
        state.rows.push(row)
      return true
    },
    file: (): Buffer | null => {
      if (state.row_count === 0) return null
      const head = csvRow(
        state.columns.map(({ name }) => name),
        csvStyles.en,
      )
      return Buffer.from(head + lines.join(''))
    },
  }
}
