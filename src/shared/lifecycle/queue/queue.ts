import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { atMost, Notice, queryInt } from '../../platform/primitives.ts'

/** Kinds of background jobs; `upkeep` is maintenance of the installation. */
export const JobKind = z.enum([
  'document',
  'mail',
  'export',
  'import',
  'title',
  'memory',
  'model',
  'erasure',
  'search',
  'webhook',
  'upkeep',
])
export type JobKind = z.infer<typeof JobKind>

/** `later`: scheduled. `retrying`: failed and will be retried. `given_up`: failed on every attempt. */
export const JobState = z.enum(['running', 'waiting', 'later', 'retrying', 'given_up'])
export type JobState = z.infer<typeof JobState>

/** A queued job, without its payload. */
export const QueuedJob = z.object({
  id: z.string(),
  kind: JobKind,
  /** Name of the job type in the code. */
  name: z.string(),
  state: JobState,
  attempts: z.int(),
  attempts_most: z.int(),
  added_at: z.string(),
  /** Earliest start; for a running job, its actual start. */
  at: z.string(),
})
export type QueuedJob = z.infer<typeof QueuedJob>

export const QUEUE_LIMIT = 50

const JobId = z.object({ jobId: z.string().check(atMost(18), z.regex(/^\d+$/)) })

export const listQueue = route({
  method: 'GET',
  path: '/admin/queue',
  access: 'super_admin',
  summary: 'The background work of the installation: what runs, waits and failed',
  query: z.object({
    state: z.optional(JobState),
    page: queryInt({ min: 1, max: 100_000, fallback: 1 }),
    limit: queryInt({ min: 1, max: 100, fallback: QUEUE_LIMIT }),
  }),
  answer: z.object({
    items: z.array(QueuedJob),
    /** Counts of all jobs, independent of the state filter. */
    counts: z.record(JobState, z.int()),
    total: z.int(),
    has_more: z.boolean(),
  }),
})

export const retryJob = route({
  method: 'POST',
  path: '/admin/queue/:jobId/retry',
  access: 'super_admin',
  may: null,
  summary: 'Do a job now, however often it failed',
  params: JobId,
  answer: Notice,
  fails: ['conflict'],
})

export const cancelJob = route({
  method: 'POST',
  path: '/admin/queue/:jobId/cancel',
  access: 'super_admin',
  may: null,
  summary: 'Take a job out of the queue, or stop it where it runs',
  params: JobId,
  answer: Notice,
})
