import type { Kysely } from 'kysely'
import type pg from 'pg'
import type { Tables } from '../db/tables.ts'
import type { Instance } from '../instances.ts'
import type { Log } from '../log.ts'
import { Cancelled } from './cancelled.ts'
import { type Kept, keepRunning } from './keep-running.ts'
import { ensureQueue } from './queue.ts'
import { type JobHandler, type Registered, startRunner } from './runner.ts'
import {
  addManyQuery,
  addQuery,
  forgetLanes,
  freeJobs,
  type JobOptions,
  type NewJob,
  poolIdOf,
} from './store.ts'

/** Durable background work with retries; see docs/ARCHITECTURE.md. */
export type Jobs = {
  /**
   * Registers a handler; call before `start`. `cron` is a five-field crontab line in UTC. `places` is the number of concurrent
   * jobs of this name per process, in addition to those of other names.
   */
  register(name: string, handler: JobHandler, options?: { cron?: string; places?: number }): void
  add(name: string, payload: Record<string, unknown>, options?: JobOptions): Promise<void>
  /** Adds jobs of one name in a transaction, with one statement. Their keys differ. Call `prepare` before the transaction. */
  addMany(name: string, jobs: readonly NewJob[], within: Kysely<Tables>): Promise<void>
  /** Returns whether the job with this key is waiting or running. */
  has(key: string): Promise<boolean>
  /** Creates the queue's tables. Call it before a transaction that adds a job; inside, it would wait for another connection. */
  prepare(): Promise<void>
  /** Aborts the job with this key wherever it runs, or removes it if it is waiting. */
  cancel(key: string): Promise<void>
  /** Resolves once jobs are accepted. Never fails; retries while the database is unreachable. */
  start(): Promise<void>
  stop(): Promise<void>
}

type Options = { pool: pg.Pool; instance: Instance; log: Log }

const cancelChannel = 'cancel_job'

/**
 * Creates the job queue in PostgreSQL. Jobs run under the id of this process's lease. Any worker that notices a lost lease
 * frees its jobs.
 */
export function createJobs({ pool, instance, log }: Options): Jobs {
  const registered = new Map<string, Registered>([
    ['forget-lanes', { handler: () => forgetLanes(pool), cron: '29 * * * *', places: undefined }],
  ])
  const running = new Map<string, AbortController>()
  let ready: Promise<void> | null = null
  let work: Kept | null = null
  let isStopped = false
  const prepared = () => {
    ready ??= ensureQueue(pool).catch((error) => {
      ready = null
      throw error
    })
    return ready
  }
  const begin = () => {
    const { id } = instance
    return keepRunning(async () => {
      await prepared()
      await freeJobs(pool, instance, id)
      return startRunner({ pool, log, registered, running, poolId: poolIdOf(id) })
    }, log)
  }
  const abortAll = () =>
    running.forEach((controller) => void controller.abort(new Error('the lease was lost')))
  instance.onDied(async () => {
    await prepared()
    await freeJobs(pool, instance)
  })

  return {
    register: (name, handler, { cron, places } = {}) => {
      if (registered.has(name)) throw new Error(`the job ${name} is declared twice`)
      registered.set(name, { handler, cron, places })
    },
    add: async (name, payload, options = {}) => {
      await prepared()
      const query = addQuery(name, payload, options)
      if (options.within) await options.within.executeQuery(query)
      else await pool.query(query.sql, [...query.parameters])
    },
    addMany: async (name, jobs, within) => {
      await prepared()
      if (jobs.length > 0) await within.executeQuery(addManyQuery(name, jobs))
    },
    has: async (key) => {
      await prepared()
      const { rows } = await pool.query<{ found: boolean }>(
        `select exists (select from graphile_worker.jobs
          where key = $1 and (locked_at is not null or attempts < max_attempts)) as found`,
        [key],
      )
      return rows[0]?.found ?? false
    },
    prepare: prepared,
    cancel: async (key) => {
      await prepared()
      await pool.query('select from graphile_worker.remove_job($1)', [key])
      await pool.query('select pg_notify($1, $2)', [cancelChannel, key])
    },
    start: async () => {
      isStopped = false
      instance.onLost(() => {
        abortAll()
        void work?.stop()
        work = null
      })
      instance.onRenewed(() => {
        void work?.stop()
        work = isStopped ? null : begin()
      })
      await instance.listen(cancelChannel, (key) => running.get(key)?.abort(new Cancelled()))
      if (isStopped) return
      work ??= begin()
      await work.begun
    },
    stop: async () => {
      isStopped = true
      await work?.stop()
      work = null
    },
  }
}
