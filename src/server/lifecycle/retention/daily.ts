import { RETENTION_AT } from '#shared/lifecycle/retention/retention.ts'
import type { Deps } from '../../tools/deps.ts'
import { deleteDue } from './delete-due.ts'
import { hasRules } from './rule-store.ts'
import { beginRun, deleteOldRuns, findUnfinished, noteRun } from './run-store.ts'

const BEGIN = 'begin-retention'
const DELETE = 'delete-due'
/** Retention of reports, in days. */
const KEEP_DAYS = 400
const DAY_MS = 86_400_000
const { hour, minute } = RETENTION_AT

/** Returns the time of the next retention run. */
export function nextRetention(now: Date): Date {
  const next = new Date(now)
  next.setUTCHours(hour, minute, 0, 0)
  return next > now ? next : new Date(next.getTime() + DAY_MS)
}

/** Registers the daily retention job. A lost one resumes the next day. */
export function registerRetention(deps: Deps): void {
  const { jobs, db, clock } = deps
  jobs.register(BEGIN, () => beginRetention(deps), { cron: `${minute} ${hour} * * *` })
  const request = (runAt?: Date) => jobs.add(DELETE, {}, { key: DELETE, ...(runAt ? { runAt } : {}) })
  jobs.register(
    DELETE,
    async (_, signal) => {
      try {
        const later = await deleteDue(deps, signal)
        if (later) await request(later)
      } catch (error) {
        const run = signal.aborted ? undefined : await findUnfinished(db)
        if (run) await noteRun(db, run.id, { failed_at: clock.now() })
        throw error
      }
    },
    { places: 1 },
  )
}

/** Starts the day's retention run if there are any rules, or resumes an unfinished one. */
export async function beginRetention({ db, jobs, clock }: Deps): Promise<void> {
  await deleteOldRuns(db, new Date(clock.now().getTime() - KEEP_DAYS * DAY_MS))
  if (await hasRules(db)) await beginRun(db, clock.now())
  if (await findUnfinished(db)) await jobs.add(DELETE, {}, { key: DELETE })
}
