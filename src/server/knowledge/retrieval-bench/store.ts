import { type Kysely, type Selectable, sql } from 'kysely'
import type {
  BenchOrigin,
  BenchRun,
  BenchSet,
  BenchSetting,
  Expectation,
} from '#shared/knowledge/retrieval-bench/retrieval-bench.ts'
import { toJson } from '../../platform/db/db.ts'
import type { Tables } from '../../platform/db/tables.ts'
import type { Result } from './reckon-figures.ts'

type Db = Kysely<Tables>
export type CaseRow = Selectable<Tables['bench_cases']>
export type RunRow = Selectable<Tables['bench_runs']>

export async function listSets(db: Db, most: number): Promise<BenchSet[]> {
  const { rows } = await sql<BenchSet>`
    select s.id, s.name, count(c.id)::int as cases,
      (count(c.id) filter (where c.expected <> '[]'))::int as judged
    from bench_sets s left join bench_cases c on c.set_id = s.id
    group by s.id order by lower(s.name), s.id limit ${most}`.execute(db)
  return rows
}

/** Returns null when a set has this name already. */
export async function insertSet(db: Db, name: string, now: Date): Promise<{ id: string } | null> {
  const row = { name, created_at: now }
  const inserted = db
    .insertInto('bench_sets')
    .values(row)
    .onConflict((one) => one.column('name').doNothing())
  return (await inserted.returning('id').executeTakeFirst()) ?? null
}

export async function hasSet(db: Db, id: string): Promise<boolean> {
  const row = await db.selectFrom('bench_sets').select('id').where('id', '=', id).executeTakeFirst()
  return row !== undefined
}

/** Returns false when there was no such set. */
export async function deleteSet(db: Db, id: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('bench_sets').where('id', '=', id).executeTakeFirst()
  return numDeletedRows > 0n
}

export async function listCases(
  db: Db,
  setId: string,
  { q, skip, limit }: { q: string; skip: number; limit: number },
): Promise<{ rows: CaseRow[]; total: number }> {
  const query = db.selectFrom('bench_cases').where('set_id', '=', setId)
  const found = q === '' ? query : query.where(sql<boolean>`strpos(lower(question), lower(${q})) > 0`)
  const rows = await found.selectAll().orderBy('created_at').orderBy('id').offset(skip).limit(limit).execute()
  const { total } = await found.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow()
  return { rows, total }
}

export async function findCase(db: Db, id: string): Promise<CaseRow | null> {
  return (await db.selectFrom('bench_cases').selectAll().where('id', '=', id).executeTakeFirst()) ?? null
}

type NewCase = Pick<CaseRow, 'set_id' | 'user_id' | 'question' | 'expected' | 'created_at'> & {
  origin?: BenchOrigin
  message_id?: string
}

export async function insertCase(db: Db, { expected, origin, ...row }: NewCase): Promise<CaseRow> {
  const json = { expected: toJson(expected), origin: origin ? toJson(origin) : null }
  return db
    .insertInto('bench_cases')
    .values({ ...row, ...json })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function updateCase(
  db: Db,
  id: string,
  { question, expected }: { question: string; expected: Expectation[] },
): Promise<CaseRow | null> {
  const set = db
    .updateTable('bench_cases')
    .set({ question, expected: toJson(expected) })
    .where('id', '=', id)
  return (await set.returningAll().executeTakeFirst()) ?? null
}

export async function deleteCase(db: Db, id: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('bench_cases').where('id', '=', id).executeTakeFirst()
  return numDeletedRows > 0n
}

/** Returns the newest `most` runs of a set, the oldest first. */
export async function listRuns(db: Db, setId: string, most: number): Promise<RunRow[]> {
  const rows = await db
    .selectFrom('bench_runs')
    .selectAll()
    .where('set_id', '=', setId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(most)
    .execute()
  return rows.reverse()
}

export async function findRun(db: Db, id: string): Promise<RunRow | null> {
  return (await db.selectFrom('bench_runs').selectAll().where('id', '=', id).executeTakeFirst()) ?? null
}

/** Inserts a run and deletes runs beyond the newest `most`. Returns its id and the deleted ids. */
export async function insertRun(
  db: Db,
  {
    setting,
    ...row
  }: Pick<RunRow, 'set_id' | 'user_id' | 'model' | 'created_at'> & { setting: BenchSetting },
  most: number,
): Promise<{ id: string; gone: string[] }> {
  const values = { ...row, setting: toJson(setting) }
  const { id } = await db.insertInto('bench_runs').values(values).returning('id').executeTakeFirstOrThrow()
  const { rows } = await sql<{ id: string }>`
    delete from bench_runs where id in (
      select id from bench_runs where set_id = ${row.set_id} order by created_at desc, id offset ${most} limit 100
    ) returning id`.execute(db)
  return { id, gone: rows.map((one) => one.id) }
}

export async function noteEnd(
  db: Db,
  id: string,
  state: Exclude<BenchRun['state'], 'running'>,
  problem: string | null,
): Promise<void> {
  await db.updateTable('bench_runs').set({ state, problem }).where('id', '=', id).execute()
}

export async function deleteRun(db: Db, id: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('bench_runs').where('id', '=', id).executeTakeFirst()
  return numDeletedRows > 0n
}

/** Inserts nothing when the run or the question has been deleted meanwhile. */
export async function insertResult(db: Db, runId: string, result: Result): Promise<void> {
  const { case_id, found, milliseconds, cost, skipped } = result
  await sql`
    insert into bench_results (run_id, case_id, found, milliseconds, cost, skipped)
    select r.id, c.id, ${found}::uuid[], ${milliseconds}, ${cost}, ${skipped}
    from bench_runs r, bench_cases c where r.id = ${runId} and c.id = ${case_id}
    on conflict do nothing`.execute(db)
}

/** Returns the results of runs, for some questions or all, at most `most`. */
export async function listResults(
  db: Db,
  runIds: readonly string[],
  most: number,
  caseIds?: readonly string[],
): Promise<(Result & { run_id: string })[]> {
  if (runIds.length === 0 || caseIds?.length === 0) return []
  const all = db
    .selectFrom('bench_results')
    .selectAll()
    .where('run_id', 'in', [...runIds])
  const some = caseIds ? all.where('case_id', 'in', [...caseIds]) : all
  return some.orderBy('run_id').orderBy('case_id').limit(most).execute()
}
