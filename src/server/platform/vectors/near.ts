import type { Table, VectorQuery } from '@lancedb/lancedb'
import type { RecordBatch } from 'apache-arrow'
import { type Filter, toSql } from './filter.ts'
import { checkVector, type Vector } from './rows.ts'
import { type Target, vectorOf } from './table-spec.ts'

/** A lower distance is nearer; `dot` may be negative. */
export type Near = { id: string; distance: number }

/**
 * `exact` compares all rows that pass the filter. `l1Rows` is the maximum number of rows compared in this process, for the one
 * metric the engine lacks.
 */
type Options = { filter: Filter; limit: number; exact: boolean; l1Rows: number }

/**
 * Search depth of the graph. With less, one in three nearest rows is missed at a million rows. It must be at least the number of
 * rows to refine.
 */
const EF = 150
const REFINE = 4

/** There are more rows than this metric can compare. */
export class TooManyRows extends Error {}

/** Returns the rows nearest to a vector, or to several for a multi-vector target. @throws WrongVector, TooManyRows */
export async function near(
  table: Table,
  target: Target,
  vectors: readonly Vector[],
  options: Options,
): Promise<Near[]> {
  const wanted = vectors.map((vector) => checkVector(vector, target))
  const [first = []] = wanted
  if (target.metric === 'l1') return nearByL1(table, target, first, options)
  const start = target.isMulti ? table.vectorSearch(wanted) : (table.query().nearestTo(first) as VectorQuery)
  const query = start
    .column(vectorOf(target))
    .distanceType(distanceTypes[target.metric] as 'cosine')
    .where(toSql(options.filter))
    .select(['id', '_distance'])
    .limit(options.limit)
  const ready = options.exact
    ? query.bypassVectorIndex()
    : query.ef(Math.max(EF, options.limit * REFINE)).refineFactor(REFINE)
  return (await readScored(ready, '_distance')).map(({ id, value: distance }) => ({ id, distance }))
}

/** Reads ids with a number by column, because creating an object per row costs more than the search. */
export async function readScored(
  query: AsyncIterable<RecordBatch>,
  column: '_distance' | '_score',
): Promise<{ id: string; value: number }[]> {
  const found: { id: string; value: number }[] = []
  for await (const batch of query) {
    const [ids, values] = [batch.getChild('id'), batch.getChild(column)]
    for (let at = 0; at < batch.numRows; at += 1)
      found.push({ id: String(ids?.get(at)), value: Number(values?.get(at)) })
  }
  return found
}

const distanceTypes = { cosine: 'cosine', dot: 'dot', 'l2-squared': 'l2', hamming: 'hamming' } as const

async function nearByL1(
  table: Table,
  target: Target,
  wanted: number[],
  { filter, limit, l1Rows }: Options,
): Promise<Near[]> {
  const where = toSql(filter)
  if ((await table.countRows(where)) > l1Rows)
    throw new TooManyRows(`The metric l1 compares at most ${l1Rows} passages: narrow the search.`)
  const column = vectorOf(target)
  const found: Near[] = []
  for await (const batch of table.query().where(where).select(['id', column])) {
    for (const row of batch) {
      const { id, [column]: vector } = row.toJSON() as { id: string; [column: string]: unknown }
      if (vector) found.push({ id, distance: l1(wanted, vector as Iterable<number>) })
    }
  }
  return found.sort((a, b) => a.distance - b.distance).slice(0, limit)
}

function l1(a: number[], b: Iterable<number>): number {
  let sum = 0
  let at = 0
  for (const number of b) sum += Math.abs((a[at++] ?? 0) - number)
  return sum
}
