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
export { withoutFunctionWords } from './function-words.ts'
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

/** A table does not exist, or no longer. */
export class MissingTable extends Error {}

/** Tables of passages with vectors, in a folder or bucket. Any process may read and write them. */
export type Vectors = {
  /** Checks that the location stores data safely. The first use always includes this check. @throws UnsafeLocation */
  assertSafe(): Promise<void>
  /** @throws when there is one of this name */
  create(name: string, spec: TableSpec): Promise<void>
  /** Drops a table. Returns whether it existed. */
  drop(name: string): Promise<boolean>
  names(): Promise<string[]>
  /** Returns a handle of a table. A missing table fails at its first use. */
  table(name: string, spec: TableSpec): VectorTable
  /** Describes the content and indexes of a table. @throws MissingTable */
  describe(name: string): Promise<TableFacts>
  /** Maintains a table. Returns whether there was anything to do. */
  tend(name: string, spec: TableSpec, options: { isQuiet: boolean }): Promise<boolean>
  /** Rewrites the data of a table, so that deleted rows exist only in old versions. */
  rewrite(name: string, spec: TableSpec): Promise<void>
  /** Removes versions older than this time. Their current readers fail. */
  dropVersions(name: string, before: Date): Promise<void>
  close(): void
}

type Options = {
  location: string
  storage?: Record<string, string>
  /** Maximum passages compared with the l1 metric. */
  l1Rows?: number
  now?: () => Date
}

const L1_ROWS = 50_000
const LEAST_CACHE = 256 * 2 ** 20

/** Creates the vector store. `location` is a folder or `s3://bucket/path`, opened on first use. */
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
      // Without a primary key, two processes storing the same new row would create two.
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
    rewrite: async (name, spec) => {
      await rewriteTable(await open(name), spec)
      // The cache holds files of the old data open. Searches in progress end with the connection they began with.
      opening = null
      tables.clear()
    },
    dropVersions: async (name, before) => dropVersions(await open(name), before),
    close: () => {
      tables.clear()
      shown.clear()
      void opening?.then((db) => db.close()).catch(() => {})
      opening = null
    },
  }
}

/** All tables share one cache. An index that does not fit is read again by each search. */
async function connect(location: string, storageOptions?: Record<string, string>): Promise<Connection> {
  const { connect, Session } = engine().lance
  const cache = BigInt(Math.max(LEAST_CACHE, Math.floor(totalmem() / 4)))
  const session = new Session(cache, BigInt(LEAST_CACHE))
  const options = { readConsistencyInterval: 0, ...(storageOptions && { storageOptions }) }
  return connect(location, options, session)
}

const isMissing = (error: unknown) => error instanceof Error && /not found/i.test(error.message)
