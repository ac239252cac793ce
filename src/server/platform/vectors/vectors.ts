import { totalmem } from 'node:os'
import type { Connection, Table } from '@lancedb/lancedb'
import { engine } from './engine.ts'
import {
  createIndexes,
  describeTable,
  dropVersions,
  rewriteTable,
  type TableFacts,
  type Tended,
  tendTable,
} from './indexes.ts'
import { assertConditionalWrites } from './probe-location.ts'
import { schemaOf, type TableSpec } from './table-spec.ts'
import { createVectorTable, type VectorTable } from './vector-table.ts'

export type { Filter } from './filter.ts'
export { nothing } from './filter.ts'
export type { Words } from './keyword-query.ts'
export { vectorLocation } from './location.ts'
export { TooManyRows } from './near.ts'
export { UnsafeLocation } from './probe-location.ts'
export type { Row, Vector } from './rows.ts'
export { WrongVector } from './rows.ts'
export type { IndexLanguage, Metric, TableSpec, Target } from './table-spec.ts'
export { isTargetName } from './table-spec.ts'
export { fromBytes, toBytes } from './vector-bytes.ts'
export type { Read, Scored, VectorTable } from './vector-table.ts'

/** A table that is not there, or no longer. */
export class MissingTable extends Error {}

/** Tables of passages with their vectors, in a folder or a bucket; any process may read and write them. */
export type Vectors = {
  /** Whether what is stored here would be kept; asked before the first use in any case. @throws UnsafeLocation */
  assertSafe(): Promise<void>
  /** @throws when there is one of this name */
  create(name: string, spec: TableSpec): Promise<void>
  /** Whether there was one. */
  drop(name: string): Promise<boolean>
  names(): Promise<string[]>
  /** A table by its name; whether it is there shows at its first use. */
  table(name: string, spec: TableSpec): VectorTable
  /** What a table holds, and how. @throws MissingTable */
  describe(name: string): Promise<TableFacts>
  /** Looks after a table. True when there was something to do. */
  tend(name: string, spec: TableSpec, options: { isQuiet: boolean }): Promise<boolean>
  /** Writes what a table holds anew: what was deleted is then in versions alone that came before. */
  rewrite(name: string, spec: TableSpec): Promise<void>
  /** Removes the versions of a table from before a moment; whoever still reads one fails. */
  dropVersions(name: string, before: Date): Promise<void>
  close(): void
}

type Options = {
  location: string
  storage?: Record<string, string>
  /** Passages that are compared by the metric l1 at most. */
  l1Rows?: number
  now?: () => Date
}

const L1_ROWS = 50_000
const LEAST_CACHE = 256 * 2 ** 20

/** `location`: a folder, or `s3://bucket/path`. Nothing is opened before it is needed. */
export function openVectors({
  location,
  storage,
  l1Rows = L1_ROWS,
  now = () => new Date(),
}: Options): Vectors {
  let opening: Promise<Connection> | null = null
  let isSafe = false
  const tables = new Map<string, Promise<Table>>()
  const shown = new Map<string, VectorTable>()
  const tended = new Map<string, Tended>()
  const assertSafe = async () => {
    if (storage && !isSafe) await assertConditionalWrites({ location, storage })
    isSafe = true
  }
  const connection = () => {
    opening ??= assertSafe()
      .then(() => connect(location, storage))
      .catch((error) => {
        opening = null
        throw error
      })
    return opening
  }
  const open = async (name: string): Promise<Table> => {
    const opened = tables.get(name) ?? connection().then((db) => db.openTable(name))
    tables.set(name, opened)
    try {
      return await opened
    } catch (error) {
      tables.delete(name)
      throw isMissing(error) ? new MissingTable(name) : error
    }
  }
  return {
    assertSafe,
    create: async (name, spec) => {
      const table = await (await connection()).createEmptyTable(name, schemaOf(spec))
      // Without it two processes that store the same new row store two.
      await table.setUnenforcedPrimaryKey(['id'])
      await createIndexes(table)
      tables.set(name, Promise.resolve(table))
    },
    drop: async (name) => {
      tables.delete(name)
      shown.delete(name)
      tended.delete(name)
      const db = await connection()
      if (!(await db.tableNames()).includes(name)) return false
      await db.dropTable(name)
      return true
    },
    names: async () => (await connection()).tableNames(),
    table: (name, spec) => {
      const table = shown.get(name) ?? createVectorTable(() => open(name), spec, { l1Rows })
      shown.set(name, table)
      return table
    },
    describe: async (name) => describeTable(await open(name)),
    tend: async (name, spec, { isQuiet }) => {
      const last = tended.get(name)
      const done = await tendTable(await open(name), spec, { now: now(), isQuiet, last })
      tended.set(name, done.tended)
      return done.isBusy
    },
    rewrite: async (name, spec) => rewriteTable(await open(name), spec),
    dropVersions: async (name, before) => dropVersions(await open(name), before),
    close: () => {
      tables.clear()
      shown.clear()
      void opening?.then((db) => db.close()).catch(() => {})
      opening = null
    },
  }
}

/** One cache for all tables: an index that does not fit in it is read anew by each search. */
async function connect(location: string, storageOptions?: Record<string, string>): Promise<Connection> {
  const { connect, Session } = engine().lance
  const cache = BigInt(Math.max(LEAST_CACHE, Math.floor(totalmem() / 4)))
  const session = new Session(cache, BigInt(LEAST_CACHE))
  const options = { readConsistencyInterval: 0, ...(storageOptions && { storageOptions }) }
  return connect(location, options, session)
}

const isMissing = (error: unknown) => error instanceof Error && /not found/i.test(error.message)
