import { EventEmitter } from 'node:events'
import type { JobHelpers, ParsedCronItem, Runner, TaskList, WorkerEvents, WorkerPool } from 'graphile-worker'
import type pg from 'pg'
import { undescribed } from '../access/classes/classes.ts'
import type { Log } from '../log.ts'
import { Cancelled } from './cancelled.ts'
import type { Runner as OurRunner } from './keep-running.ts'
import { loadQueueLibrary } from './queue-library.ts'
import { queuePool } from './queue-pool.ts'
import { quietLogger } from './quiet-logger.ts'
import { concurrency, countReady } from './store.ts'
import { createWaker, type Sleeper, type Waker } from './waker.ts'

/** Handles one kind of job. It must end soon after `signal` is aborted. */
export type JobHandler = (payload: Record<string, unknown>, signal: AbortSignal) => Promise<void>

export type Registered = { handler: JobHandler; cron: string | undefined; places: number | undefined }

type Options = {
  pool: pg.Pool
  log: Log
  registered: Map<string, Registered>
  /** Running jobs of this process that have a key. */
  running: Map<string, AbortController>
  poolId: string
}

const pollEveryMs = 2_000
/** Difference between the intervals of two runners, which would otherwise poll together and keep a connection each. */
const apartMs = 53
/** Time a job may continue after a request to stop the server. */
const abortAfterMs = 1_500
const stopTimeoutMs = 6_000

/**
 * Takes jobs until stopped, or until the end of one cannot be stored. Each kind with its own places has a separate runner, so
 * its backlog never delays others. The library is loaded here so that it does not delay startup.
 */
export async function startRunner(options: Options): Promise<OurRunner> {
  const waker = createWaker((kinds) => countReady(options.pool, kinds))
  const pool = queuePool(options.pool, waker.look)
  const parts = await Promise.all(
    shareOut(options.registered).map((part, at) =>
      startPart({ ...options, ...part, pool, waker, pollInterval: pollEveryMs + at * apartMs }),
    ),
  )
  const stop = async () => void (await Promise.all(parts.map((part) => part.stop())))
  return { ended: Promise.race(parts.map(({ ended }) => ended)).then(stop), stop }
}

type Part = { registered: Map<string, Registered>; places: number }
type Polling = { pollInterval: number; waker: Waker }

/** Splits jobs into each kind with its own places, and all others. */
function shareOut(registered: Map<string, Registered>): Part[] {
  const others = [...registered].filter(([, { places }]) => places === undefined)
  const own = [...registered].flatMap(([name, job]) =>
    job.places === undefined ? [] : [{ registered: new Map([[name, job]]), places: job.places }],
  )
  return [{ registered: new Map(others), places: concurrency }, ...own]
}

async function startPart(options: Options & Part & Polling): Promise<OurRunner> {
  const { parseCronItems, run } = await loadQueueLibrary()
  const events: WorkerEvents = new EventEmitter()
  let leave = () => {}
  events.on('pool:create', ({ workerPool }) => {
    // Jobs are locked under the pool's name. It contains the lease id, so a dead process's jobs can be found.
    workerPool.id = options.poolId
    leave = options.waker.join(sleeperOf(workerPool, [...options.registered.keys()]))
  })
  const runner = await run({
    pgPool: options.pool,
    taskList: makeTasks(options),
    parsedCronItems: parseCronItems(listCronItems(options.registered)) as ParsedCronItem[],
    events,
    logger: await quietLogger(options.log),
    noHandleSignals: true,
    preset: {
      worker: {
        concurrentJobs: options.places,
        pollInterval: options.pollInterval,
        gracefulShutdownAbortTimeout: abortAfterMs,
        // Without batches, a failure to store the end of a job is unhandled and ends the process.
        completeJobBatchDelay: 0,
        failJobBatchDelay: 0,
      },
    },
  })
  const stop = () => stopRunner(runner)
  stopWhenBlind(events, stop)
  const ended = runner.promise
    .catch((error) => options.log.warn({ error }, 'Background work stopped with an error.'))
    .finally(() => leave())
  return { ended, stop }
}

function sleeperOf(pool: WorkerPool, kinds: string[]): Sleeper {
  return {
    kinds,
    isIdle: () => isActive(pool) && pool._workers.some((worker) => worker.getActiveJob() === null),
    wake: (count) => {
      if (isActive(pool)) pool.nudge(count)
    },
  }
}

/** Tells whether a pool accepts jobs; waking an ended worker is an error. */
const isActive = (pool: WorkerPool) => pool._active && !pool._shuttingDown

/** Stops the runner if its first query fails, because the library caches that failure. */
function stopWhenBlind(events: WorkerEvents, stop: () => Promise<void>): void {
  let canSee = false
  for (const seen of ['worker:getJob:empty', 'job:start'] as const) {
    events.once(seen, () => {
      canSee = true
    })
  }
  events.on('worker:getJob:error', () => {
    if (!canSee) void stop()
  })
}

function makeTasks({ registered, running, log }: Options): TaskList {
  const entries = [...registered].map(([name, { handler }]) => {
    const task = (payload: unknown, helpers: JobHelpers) => runJob(handler, payload, helpers, running, log)
    return [name, task] as const
  })
  return Object.fromEntries(entries)
}

async function runJob(
  handler: JobHandler,
  payload: unknown,
  { job, abortSignal }: JobHelpers,
  running: Map<string, AbortController>,
  log: Log,
): Promise<void> {
  const controller = new AbortController()
  const key = job.key ?? `job ${job.id}`
  running.set(key, controller)
  try {
    const signal = AbortSignal.any([controller.signal, abortSignal])
    // A job may begin in the context of the request that added it.
    await undescribed(() => handler(payload as Record<string, unknown>, signal))
  } catch (error) {
    // A cancelled job has ended as requested.
    if (controller.signal.reason instanceof Cancelled) return
    log.warn(
      { job: job.task_identifier, attempt: job.attempts, of: job.max_attempts, error },
      'A job failed.',
    )
    throw error
  } finally {
    if (running.get(key) === controller) running.delete(key)
  }
}

function listCronItems(registered: Map<string, Registered>) {
  return [...registered].flatMap(([task, { cron }]) =>
    cron === undefined ? [] : [{ task, match: cron, identifier: task, options: { backfillPeriod: 0 } }],
  )
}

/** Abandons jobs that do not end in time. The next process finds them free. */
async function stopRunner(runner: Runner): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, stopTimeoutMs)
  })
  await Promise.race([runner.stop().catch(() => undefined), timeout])
  clearTimeout(timer)
}
