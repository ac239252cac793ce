import { CompiledQuery, type Kysely } from 'kysely'
import type pg from 'pg'
import type { Tables } from '../db/tables.ts'
import type { Instance } from '../instances.ts'

/** Jobs one process does at once, of all kinds without places of their own. */
export const concurrency = 8

const prefix = 'pool-'

/** A job is locked under this name while it runs. */
export function poolIdOf(instanceId: string): string {
  return prefix + instanceId
}

/**
 * Frees the jobs of processes that are gone, and tells the living: by itself the queue would wait four hours. A
 * process about to begin names its own id: what it had taken before is free as well.
 */
export async function freeJobs(pool: pg.Pool, instance: Instance, ownId?: string): Promise<void> {
  const { rows } = await pool.query<{ id: string }>(
    `select distinct substr(locked_by, $1) as id from graphile_worker.jobs
      where locked_by is not null order by id limit 1000`,
    [prefix.length + 1],
  )
  const left: string[] = []
  for (const { id } of rows) if (id === ownId || !(await instance.isAlive(id))) left.push(poolIdOf(id))
  if (left.length === 0) return
  await pool.query('select graphile_worker.force_unlock_workers($1)', [left])
  await wakeWorkers(pool)
}

/** Has the workers of all processes look for jobs at once: without a word they would look later. */
export async function wakeWorkers(pool: pg.Pool): Promise<void> {
  await pool.query("select pg_notify('jobs:insert', $1)", [JSON.stringify({ count: concurrency })])
}

/** The same once the end of this job is stored; gives whether it is. */
export async function wakeWorkersAfter(pool: pg.Pool, jobId: string): Promise<boolean> {
  const { rowCount } = await pool.query(
    `select pg_notify('jobs:insert', $1) where not exists (select from graphile_worker.jobs where id = $2)`,
    [JSON.stringify({ count: concurrency }), jobId],
  )
  return rowCount === 1
}

export type JobOptions = {
  /** Makes a job unique and cancellable. */
  key?: string
  runAt?: Date
  maxAttempts?: number
  /** Jobs of one queue run one after the other, in the order in which they were added. */
  queue?: string
  /** The smallest is taken first, of equal ones the oldest; 0 when nothing is said. */
  priority?: number
  /** The transaction the job stands or falls with; `prepare` comes before it. */
  within?: Kysely<Tables>
}

/** Over half a day, the pauses grow. One that ends its process each time does so this often at most. */
const MAX_ATTEMPTS = 10

/** The statement that adds a job. */
export function addQuery(name: string, payload: Record<string, unknown>, options: JobOptions): CompiledQuery {
  const { key, runAt, maxAttempts = MAX_ATTEMPTS, queue, priority } = options
  return CompiledQuery.raw(
    `select from graphile_worker.add_job($1, $2::json,
      run_at => $3, max_attempts => $4, job_key => $5, queue_name => $6, priority => $7)`,
    [name, JSON.stringify(payload), runAt ?? null, maxAttempts, key ?? null, queue ?? null, priority ?? null],
  )
}

/** Removes lanes in which no job waits: their names hold the ids of people, who may be gone. The next job makes its lane again. */
export async function forgetLanes(pool: Pick<pg.Pool, 'query'>): Promise<void> {
  await pool.query(`
    delete from graphile_worker._private_job_queues lane where locked_at is null
      and not exists (select from graphile_worker._private_jobs job where job.job_queue_id = lane.id)`)
}
