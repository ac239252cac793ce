import { setTimeout as sleep } from 'node:timers/promises'
import type { Table } from '@lancedb/lancedb'
import { engine } from './engine.ts'
import { languages, type TableSpec, type Target, vectorOf } from './table-spec.ts'

/** Minimum rows for a graph. With fewer, a full scan is equally fast. */
const MIN_GRAPH_ROWS = 20_000
const ROWS_A_PARTITION = 250_000
/** Maximum rows missing from an index. They are searched one by one. */
const MAX_UNINDEXED_ROWS = 1_000
const FRAGMENTS_MAX = 50
/** Retention of old versions, for readers still using them. */
const VERSION_RETENTION_MS = 3_600_000
/** Interval of the cleanup of old versions, until none is left. */
const CLEANUP_INTERVAL_MS = 600_000
const CLEANUP_MARGIN_MS = 60_000

/** Names defined by the engine. It crashes the process for any other. */
const analysers = {
  en: { language: 'English', stem: true, removeStopWords: true },
  fr: { language: 'French', stem: true, removeStopWords: true },
  xx: { stem: false, removeStopWords: false },
} as const

const ATTEMPTS = 20
const MAX_PAUSE_MS = 200

/** A commit was stored first, or a cleanup removed the version that was being read. */
const conflicts = [
  /Retryable commit conflict/,
  /\/_versions\/\d+\.manifest not found/,
  /Not found: [^,\s]+\/_versions\/\d+\.manifest/,
]

/** Commits a change of a table. Retries when a concurrent commit or cleanup, of any process, was first. */
async function committed<T>(change: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await change()
    } catch (error) {
      const isConflict = error instanceof Error && conflicts.some((one) => one.test(error.message))
      if (!isConflict || attempt === ATTEMPTS) throw error
      await sleep(Math.random() * MAX_PAUSE_MS)
    }
  }
}

/** Creates all indexes of a table, and replaces existing ones. */
export async function createIndexes(table: Table): Promise<void> {
  const { Index } = engine().lance
  const text = { withPosition: true, asciiFolding: true, lowercase: true }
  for (const column of ['id', 'document_id', 'reading_id'])
    await committed(() => table.createIndex(column, { config: Index.btree() }))
  for (const column of ['user_id', 'company_id', 'chunk_type', 'language'])
    await committed(() => table.createIndex(column, { config: Index.bitmap() }))
  await committed(() => table.createIndex('shared_access', { config: Index.labelList() }))
  for (const language of languages)
    await committed(() =>
      table.createIndex(`body_${language}`, { config: Index.fts({ ...text, ...analysers[language] }) }),
    )
  await committed(() => table.createIndex('title', { config: Index.fts({ ...text, ...analysers.en }) }))
}

/**
 * Returns the time before which versions can be removed, so that one that was replaced after `before` stays, however old it is: others may
 * have begun to read it a moment earlier. The engine's cutoff moves on while it works, hence the margin.
 */
async function replacedBefore(table: Table, before: Date): Promise<Date> {
  const times = (await table.listVersions()).map(({ timestamp }) => timestamp.getTime())
  const current = times.reduce(
    (last, time) => (time <= before.getTime() ? Math.max(last, time) : last),
    -Infinity,
  )
  return Number.isFinite(current) ? new Date(current - CLEANUP_MARGIN_MS) : before
}

/** State of a table at this process's last maintenance. */
export type Tended = { version: number; seenAt: number; cleanedAt: number; isClean: boolean }

/**
 * Merges new rows into the indexes, drops old versions, and builds a graph for large tables. The files of an emptied table are
 * deleted within `VERSION_RETENTION_MS` plus `CLEANUP_INTERVAL_MS` of its last change. `isBusy` means that there were rows to merge.
 */
export async function tendTable(
  table: Table,
  spec: TableSpec,
  { now, isQuiet, last }: { now: Date; isQuiet: boolean; last: Tended | undefined },
): Promise<{ isBusy: boolean; tended: Tended }> {
  const time = now.getTime()
  const version = await table.version()
  const isChanged = version !== last?.version
  const { fragmentStats, numRows } = await table.stats()
  const lags = await unindexedRows(table)
  const isDue =
    lags > MAX_UNINDEXED_ROWS ||
    fragmentStats.numFragments > FRAGMENTS_MAX ||
    (isQuiet && (lags > 0 || fragmentStats.numFragments > 1 || isChanged))
  const mustClean = !last?.isClean && isQuiet && time - (last?.cleanedAt ?? 0) > CLEANUP_INTERVAL_MS
  // The indexes still contain the words of deleted rows.
  if (isQuiet && numRows === 0 && (await indexedRows(table)) > 0) await createIndexes(table)
  if (isDue || mustClean) {
    const retained = new Date(time - VERSION_RETENTION_MS)
    const isSettled = !isDue && last !== undefined && last.seenAt < retained.getTime()
    const cleanupOlderThan = isSettled ? retained : await replacedBefore(table, retained)
    await committed(() => table.optimize({ cleanupOlderThan }))
  }
  const graphs = spec.index === 'hnsw' && numRows >= MIN_GRAPH_ROWS ? await missingGraphs(table, spec) : []
  for (const target of graphs) await growGraph(table, target, numRows)
  const after = await table.version()
  const isCleaned = isDue || mustClean
  const seenAt = last && after === last.version ? last.seenAt : time
  const cleanedAt = isCleaned ? time : (last?.cleanedAt ?? 0)
  const tended = { version: after, seenAt, cleanedAt, isClean: cleanedAt - VERSION_RETENTION_MS > seenAt }
  return { isBusy: isDue || graphs.length > 0, tended }
}

/**
 * Rewrites the remaining rows and their indexes, so that deleted data exists only in old versions. The engine skips a single file
 * with few deleted rows. So one row is written to a second file first, because two small files are always merged.
 */
export async function rewriteTable(table: Table, { targets }: TableSpec): Promise<void> {
  const [row] = await table.query().select(['id', 'reading_id']).limit(1).toArray()
  if (row) {
    const id = String(row.id).replaceAll("'", "''")
    await table.update({ where: `id = '${id}'`, values: { reading_id: String(row.reading_id) } })
  }
  await createIndexes(table)
  const rows = await table.countRows()
  for (const target of targets) if (await hasGraph(table, target)) await growGraph(table, target, rows)
  await committed(() => table.optimize())
}

/** Removes versions written before this time, with the data only they contain. The caller makes sure that they have no readers. */
export async function dropVersions(table: Table, before: Date): Promise<void> {
  await committed(() => table.optimize({ cleanupOlderThan: before }))
}

/** `unindexed`: rows added since the last index update. They are compared one by one. */
export type TableFacts = {
  objects: number
  size_bytes: number
  fragments: number
  indexes: { columns: string[]; type: string; unindexed: number }[]
}

export async function describeTable(table: Table): Promise<TableFacts> {
  const { numRows, totalBytes, fragmentStats } = await table.stats()
  const indexes = await table.listIndices()
  return {
    ...{ objects: numRows, size_bytes: totalBytes, fragments: fragmentStats.numFragments },
    indexes: indexes.map(({ columns, indexType, numUnindexedRows }) => ({
      ...{ columns, type: indexType, unindexed: Number(numUnindexedRows ?? 0) },
    })),
  }
}

async function unindexedRows(table: Table): Promise<number> {
  const lags = (await table.listIndices()).map(({ numUnindexedRows }) => Number(numUnindexedRows ?? 0))
  return Math.max(0, ...lags)
}

async function indexedRows(table: Table): Promise<number> {
  return Math.max(0, ...(await table.listIndices()).map(({ numIndexedRows }) => Number(numIndexedRows ?? 0)))
}

/** Returns whether searches of this target use a graph. */
async function hasGraph(table: Table, target: Target): Promise<boolean> {
  const indexes = await table.listIndices()
  return indexes.some(({ columns }) => columns.includes(vectorOf(target)))
}

async function missingGraphs(table: Table, { targets }: TableSpec): Promise<Target[]> {
  const missing: Target[] = []
  for (const target of targets)
    if (!target.isMulti && target.metric in graphMetrics && !(await hasGraph(table, target)))
      missing.push(target)
  return missing
}

const graphMetrics: Partial<Record<Target['metric'], 'cosine' | 'dot' | 'l2'>> = {
  cosine: 'cosine',
  dot: 'dot',
  'l2-squared': 'l2',
}

async function growGraph(table: Table, target: Target, rows: number): Promise<void> {
  const config = engine().lance.Index.hnswSq({
    ...{ distanceType: graphMetrics[target.metric] ?? 'cosine', efConstruction: 150 },
    numPartitions: Math.ceil(rows / ROWS_A_PARTITION),
  })
  await committed(() => table.createIndex(vectorOf(target), { config, replace: true }))
}
