import type { Platform } from '../../platform/platform.ts'
import { readQueueState } from '../queue/queue.ts'
import { type Found, found } from './found.ts'
import { describeDatabase } from './store.ts'

/** Maximum waiting time of a due job in normal operation. */
const LATE_SECONDS = 300

/** Checks that a worker executes background jobs in time. */
export async function checkQueue({ db, jobs, instance }: Platform): Promise<Found> {
  await jobs.prepare()
  const [{ running, waiting, given_up, oldest_seconds }, workers] = await Promise.all([
    readQueueState(db),
    instance.countWorkers(),
  ])
  if (workers === 0) return found('queue_no_worker', { waiting })
  const minutes = Math.round(oldest_seconds / 60)
  if (oldest_seconds > LATE_SECONDS) return found('queue_late', { waiting, minutes })
  if (given_up > 0) return found('queue_given_up', { jobs: given_up })
  return found('queue_moves', { running, waiting })
}

/** Checks that the database responds, and reports missing extensions. */
export async function checkDatabase({ db }: Pick<Platform, 'db'>): Promise<Found> {
  const asked = performance.now()
  const { version, size_bytes, has_trigrams } = await describeDatabase(db)
  const facts = { version, size_bytes, ms: Math.round(performance.now() - asked) }
  return found(has_trigrams ? 'database_answers' : 'database_no_trigrams', facts)
}
