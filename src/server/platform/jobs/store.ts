import { CompiledQuery, type Kysely } from 'kysely'
import type pg from 'pg'
import type { Tables } from '../db/tables.ts'
import type { Instance } from '../instances.ts'

/** Concurrent jobs per process, for all kinds without their own places. */
export const concurrency = 8

const prefix = 'pool-'

/** Returns the name under which a running job is locked. */
export function poolIdOf(instanceId: string): string {
  return prefix + instanceId
}

/**
 * Frees the jobs of dead processes and wakes the live ones; by default the queue waits four hours. A process that is about to
 * start passes its own id, to free the jobs it held before.
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

/** Makes the workers of all processes look for jobs immediately. */
export async function wakeWorkers(pool: pg.Pool): Promise<void> {
  await pool.query("select pg_notify('jobs:insert', $1)", [JSON.stringify({ count: concurrency })])
}

/** Returns the number of jobs that can begin now, by kind. It takes no locks. */
export async function countReady(pool: pg.Pool, kinds: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await pool.query<{ kind: string; count: number }>(
    `select task.identifier as kind, count(*)::int as count
      from graphile_worker._private_jobs job
        join graphile_worker._private_tasks task on task.id = job.task_id
        left join graphile_worker._private_job_queues queue on queue.id = job.job_queue_id
      where job.is_available and job.run_at <= now() and (queue.id is null or queue.is_available)
        and task.identifier = any($1)
      group by task.identifier order by task.identifier limit 1000`,
    [kinds],
  )
  return new Map(rows.map(({ kind, count }) => [kind, count]))
}

/**
 * Makes workers look for jobs whenever a queue is free again: after the end, failure or loss of its job. The library notifies
 * them of new jobs only.
 */
export async function notifyFreeQueues(client: pg.ClientBase): Promise<void> {
  const { rowCount } = await client.query(
    `select from pg_trigger where tgname = 'tell_free_queue'
      and tgrelid = 'graphile_worker._private_job_queues'::regclass`,
  )
  if (rowCount === 1) return
  await client.query(`
    create or replace function graphile_worker.tell_free_queue() returns trigger language plpgsql as $$
      begin
        perform pg_notify('jobs:insert', '{"count":1}');
        return null;
      end $$;
    create trigger tell_free_queue after update on graphile_worker._private_job_queues for each row
      when (old.locked_at is not null and new.locked_at is null)
      execute function graphile_worker.tell_free_queue()`)
}

export type JobOptions = {
  /** Makes a job unique and cancellable. */
  key?: string
  runAt?: Date
  maxAttempts?: number
  /** Jobs of one queue run one after the other, in the order they were added. */
  queue?: string
  /** Lower numbers run first, then older jobs. The default is 0. */
  priority?: number
  /** Transaction that adds the job. Call `prepare` before it begins. */
  within?: Kysely<Tables>
}

/** Retries span more than half a day with growing delays. A job that crashes its process does so at most this often. */
const MAX_ATTEMPTS = 10

/** Returns the statement that adds a job. */
export function addQuery(name: string, payload: Record<string, unknown>, options: JobOptions): CompiledQuery {
  const { key, runAt, maxAttempts = MAX_ATTEMPTS, queue, priority } = options
  return CompiledQuery.raw(
    `select from graphile_worker.add_job($1, $2::json,
      run_at => $3, max_attempts => $4, job_key => $5, queue_name => $6, priority => $7)`,
    [name, JSON.stringify(payload), runAt ?? null, maxAttempts, key ?? null, queue ?? null, priority ?? null],
  )
}

/** A job of many that are added with one statement. */
export type NewJob = { payload: Record<string, unknown>; key: string; queue: string; priority: number }

/** Returns the statement that adds many jobs of one name. */
export function addManyQuery(name: string, jobs: readonly NewJob[]): CompiledQuery {
  return CompiledQuery.raw(
    `select from graphile_worker.add_jobs(array(
      select row($1, payload, queue, null, $2, key, priority, null)::graphile_worker.job_spec
      from jsonb_to_recordset($3::jsonb) as job (payload json, queue text, key text, priority integer)))`,
    [name, MAX_ATTEMPTS, JSON.stringify(jobs)],
  )
}

/** Deletes queues without jobs, because their names contain ids of possibly deleted users. The next job recreates its queue. */
export async function forgetLanes(pool: Pick<pg.Pool, 'query'>): Promise<void> {
  await pool.query(`
    delete from graphile_worker._private_job_queues lane where locked_at is null
      and not exists (select from graphile_worker._private_jobs job where job.job_queue_id = lane.id)`)
}
