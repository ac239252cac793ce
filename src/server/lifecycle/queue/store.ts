import { type Kysely, sql } from 'kysely'
import type { JobState } from '#shared/lifecycle/queue/queue.ts'
import type { Tables } from '../../platform/db/tables.ts'

type Db = Kysely<Tables>

export type Row = {
  id: string
  name: string
  key: string | null
  state: JobState
  attempts: number
  attempts_most: number
  added_at: Date
  at: Date
}

/** Selects jobs with their state. Payloads and errors are excluded, because they may contain user text. */
const jobs = sql`(
  select id::text as id, task_identifier as name, key, attempts, max_attempts as attempts_most, created_at as added_at,
    coalesce(locked_at, run_at) as at,
    case when locked_at is not null then 'running' when attempts >= max_attempts then 'given_up'
      when attempts > 0 then 'retrying' when run_at > now() then 'later' else 'waiting' end as state
  from graphile_worker.jobs)`

/** Returns a page of jobs, optionally by state: running first, failed last. */
export async function listJobs(
  db: Db,
  { state, skip, limit }: { state: JobState | undefined; skip: number; limit: number },
): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select * from ${jobs} as q where ${state ?? null}::text is null or state = ${state ?? null}
    order by array_position(array['running', 'waiting', 'retrying', 'later', 'given_up'], state), at, id::bigint
    offset ${skip} limit ${limit}`.execute(db)
  return rows
}

export async function countJobs(db: Db): Promise<Partial<Record<JobState, number>>> {
  const { rows } = await sql<{ state: JobState; count: number }>`
    select state, count(*)::int as count from ${jobs} as q group by state`.execute(db)
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]))
}

/** Returns the number of running, waiting and failed jobs, and the longest wait of a due job in seconds. */
export async function readQueueState(
  db: Db,
): Promise<{ running: number; waiting: number; given_up: number; oldest_seconds: number }> {
  const { rows } = await sql<{ running: number; waiting: number; given_up: number; oldest_seconds: number }>`
    select count(*) filter (where state = 'running')::int as running,
      count(*) filter (where state = 'waiting')::int as waiting,
      count(*) filter (where state = 'given_up')::int as given_up,
      coalesce(extract(epoch from now() - min(at) filter (where state = 'waiting')), 0)::int as oldest_seconds
    from ${jobs} as q`.execute(db)
  return rows[0] ?? { running: 0, waiting: 0, given_up: 0, oldest_seconds: 0 }
}

export async function findJob(db: Db, id: string): Promise<Row | null> {
  const { rows } = await sql<Row>`select * from ${jobs} as q where id = ${id}`.execute(db)
  return rows[0] ?? null
}

/** Makes a waiting or failed job due with all its attempts, and wakes the workers. Returns false when it is running or deleted. */
export async function bringForward(trx: Db, id: string): Promise<boolean> {
  const { rows } = await sql`
    select pg_notify('jobs:insert', '{"count":1}')
    from graphile_worker.reschedule_jobs(array[${id}::bigint], run_at => now(), attempts => 0)`.execute(trx)
  return rows.length > 0
}

/** Deletes a job that is not running. Returns false when it is running or deleted. */
export async function takeOut(trx: Db, id: string): Promise<boolean> {
  const { rows } = await sql`select from graphile_worker.complete_jobs(array[${id}::bigint])`.execute(trx)
  return rows.length > 0
}
