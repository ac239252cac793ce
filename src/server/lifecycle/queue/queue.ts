import * as contract from '#shared/lifecycle/queue/queue.ts'
import { AppError } from '#shared/platform/errors.ts'
import { auditBy, changed } from '../../identity/audit/audit.ts'
import { type Server, serve } from '../../platform/http/serve.ts'
import type { Platform } from '../../platform/platform.ts'
import { kindOf } from './kinds.ts'
import { bringForward, countJobs, findJob, listJobs, type Row, takeOut } from './store.ts'

export { readQueueState } from './store.ts'

/** Serves the job queue to super admins. */
export function serveQueue(server: Server, deps: Platform): void {
  const { db, jobs } = deps
  /** @throws AppError `not_found` when it is done or was taken out */
  const find = async (id: string): Promise<Row> => {
    await jobs.prepare()
    const job = await findJob(db, id)
    if (!job) throw new AppError('not_found', 'This job is done, or was taken out.')
    return job
  }
  serve(server, contract.listQueue, {
    handle: async ({ query: { state, page, limit } }) => {
      await jobs.prepare()
      const skip = (page - 1) * limit
      const [rows, counted] = await Promise.all([listJobs(db, { state, skip, limit }), countJobs(db)])
      const counts = Object.fromEntries(contract.JobState.options.map((one) => [one, counted[one] ?? 0]))
      const total = state
        ? (counts[state] ?? 0)
        : Object.values(counts).reduce((sum, count) => sum + count, 0)
      return {
        items: rows.map(showJob),
        counts: counts as Record<contract.JobState, number>,
        ...{ total, has_more: skip + rows.length < total },
      }
    },
  })
  serve(server, contract.retryJob, {
    handle: async ({ params: { jobId }, user, request }) => {
      const job = await find(jobId)
      await db.transaction().execute(async (trx) => {
        if (!(await bringForward(trx, jobId))) throw new AppError('conflict', 'This job runs already.')
        const changes = changed('state', job.state, 'waiting')
        await auditBy(deps, { user, request })(trx, { did: 'job.retried', subject: subjectOf(job), changes })
      })
      return { message: 'The job is tried again now.' }
    },
  })
  serve(server, contract.cancelJob, {
    handle: async ({ params: { jobId }, user, request }) => {
      const job = await find(jobId)
      const isOut = await db.transaction().execute(async (trx) => {
        const changes = changed('state', job.state, null)
        await auditBy(deps, { user, request })(trx, {
          did: 'job.cancelled',
          subject: subjectOf(job),
          changes,
        })
        return takeOut(trx, jobId)
      })
      if (isOut) return { message: 'The job was taken out.' }
      await jobs.cancel(job.key ?? `job ${jobId}`)
      return { message: 'The job is being stopped.' }
    },
  })
}

const subjectOf = ({ id, name }: Row) => `${name} ${id}`

function showJob({ key: _, added_at, at, ...job }: Row): contract.QueuedJob {
  return { ...job, kind: kindOf(job.name), added_at: added_at.toISOString(), at: at.toISOString() }
}
