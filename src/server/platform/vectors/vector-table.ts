import type { Table } from '@lancedb/lancedb'
import { engine } from './engine.ts'
import { type Filter, toSql } from './filter.ts'
import { freshPhrases } from './fresh-phrases.ts'
import { keywordQuery, type Words } from './keyword-query.ts'
import { type Near, near, readScored } from './near.ts'
import { type Row, type Stored, toColumns, type Vector } from './rows.ts'
import { languages, schemaOf, type TableSpec, type Target, vectorOf } from './table-spec.ts'
import { createWriteQueue } from './write-queue.ts'

/** Score of a row for some words. Higher is better; scores of different tables are not comparable. */
export type Scored = { id: string; score: number }

/** Passages with their vectors. Filters apply before the search, so they never shorten a result. */
export type VectorTable = {
  /** Stores rows and replaces those with the same ids. @throws WrongVector */
  put(rows: Row[]): Promise<void>
  /** Removes rows and returns their number. */
  remove(filter: Filter): Promise<number>
  count(filter?: Filter): Promise<number>
  /** Reads rows in id order after `after`, with vectors by target name if requested. */
  read(options: { filter?: Filter; after?: string; limit: number; withVectors?: boolean }): Promise<Read[]>
  /** Counts the rows of each reading. */
  countByReading(): Promise<Map<string, number>>
  keyword(words: Words, options: { filter: Filter; limit: number }): Promise<Scored[]>
  /** @throws WrongVector, TooManyRows */
  near(
    target: Target,
    vectors: readonly Vector[],
    options: { filter: Filter; limit: number; exact?: boolean },
  ): Promise<Near[]>
  /** Returns the distances of these rows, however far they are. */
  distances(target: Target, vectors: readonly Vector[], ids: readonly string[]): Promise<Near[]>
}

export type Read = Stored & { vectors: Record<string, number[] | number[][]> }

const MANY_IDS = 10_000

const columns = [
  ...['id', 'reading_id', 'document_id', 'user_id', 'company_id', 'shared_access', 'chunk_type', 'file_name'],
  ...['file_type', 'language', 'page', 'position', 'created_at', 'title', 'text', 'metadata'],
]

/** `open` returns the current table, or fails if it was dropped. */
export function createVectorTable(
  open: () => Promise<Table>,
  spec: TableSpec,
  bounds: { l1Rows: number },
): VectorTable {
  const schema = schemaOf(spec)
  const put = createWriteQueue(async (rows) => {
    const table = await open()
    const data = engine().lance.makeArrowTable(
      rows.map((row) => toColumns(row, spec.targets)),
      { schema },
    )
    await table.mergeInsert('id').whenMatchedUpdateAll().whenNotMatchedInsertAll().execute(data)
  })
  const nearRows: VectorTable['near'] = async (target, vectors, { filter, limit, exact = false }) => {
    return near(await open(), target, vectors, { filter, limit, exact, l1Rows: bounds.l1Rows })
  }
  return {
    put: async (rows) => {
      // An invalid row fails only its own call, not others in the same batch.
      for (const row of rows) toColumns(row, spec.targets)
      if (rows.length > 0) await put(rows)
    },
    remove: async (filter) => Number((await (await open()).delete(toSql(filter))).numDeletedRows),
    count: async (filter) => (await open()).countRows(filter && toSql(filter)),
    read: async ({ filter, after, limit, withVectors }) => {
      const after_ = after === undefined ? [] : [{ column: 'id', after }]
      const found = await (await open())
        .query()
        .where(toSql({ and: [...(filter ? [filter] : []), ...after_] }))
        .select([...columns, ...(withVectors ? spec.targets.map(vectorOf) : [])])
        .orderBy({ columnName: 'id', ascending: true })
        .limit(limit)
        .toArray()
      return found.map((row) => readRow(row, withVectors ? spec.targets : []))
    },
    countByReading: async () => {
      const counts = new Map<string, number>()
      for await (const batch of (await open()).query().select(['reading_id']))
        for (const id of batch.getChild('reading_id') ?? []) counts.set(id, (counts.get(id) ?? 0) + 1)
      return counts
    },
    keyword: async (words, { filter, limit }) => {
      const query = keywordQuery(words, languages)
      if (!query) return []
      const table = await open()
      const asked = table
        .query()
        .fullTextSearch(query)
        .where(toSql(filter))
        .select(['id', '_score'])
        .limit(limit)
      const found = (await readScored(asked, '_score')).map(({ id, value: score }) => ({ id, score }))
      const fresh = words.phrases.length > 0 ? await freshPhrases(table, words, { filter, limit }) : []
      const known = new Set(found.map(({ id }) => id))
      return [...found, ...fresh.filter(({ id }) => !known.has(id))]
        .sort((a, b) => b.score - a.score)
        .slice(0, limit)
    },
    near: nearRows,
    distances: (target, vectors, ids) =>
      nearRows(target, vectors, {
        ...{
          filter: { column: 'id', in: ids.slice(0, MANY_IDS) },
          limit: Math.max(1, ids.length),
          exact: true,
        },
      }),
  }
}

function readRow(row: Record<string, unknown>, targets: readonly Target[]): Read {
  const plain = Object.fromEntries(columns.map((name) => [name, row[name]])) as Omit<Stored, 'metadata'>
  const numbers = (value: unknown) => Array.from(value as Iterable<number>)
  const vectors = targets.flatMap((target) => {
    const value = row[vectorOf(target)]
    if (!value) return []
    const read = target.isMulti ? Array.from(value as Iterable<unknown>, numbers) : numbers(value)
    return [[target.name, read] as const]
  })
  return {
    ...plain,
    shared_access: Array.from((row.shared_access as Iterable<string> | null) ?? []),
    metadata: JSON.parse(String(row.metadata ?? '{}')),
    vectors: Object.fromEntries(vectors),
  }
}
