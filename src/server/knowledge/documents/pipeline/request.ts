import type { Kysely } from 'kysely'
import type { Tables } from '../../../platform/db/tables.ts'
import type { RunDeps } from '../../../runs/run-deps.ts'
import { type Attempt, countUnderWay } from './store.ts'

export const jobName = 'process-document'
export const jobKey = (readingId: string) => `reading:${readingId}`

/** The largest the queue knows is 32,767. */
const PRIORITY_MAX = 30_000
const PRIORITY_OF_MORE = 100

type Reading = Attempt & { user_id: string }

/**
 * Has a reading processed, after as many as its person has under way: whoever has few comes before somebody's thousand.
 * `jobs.prepare` comes before the transaction.
 */
export async function requestProcessing(
  { db, jobs }: Pick<RunDeps, 'db' | 'jobs'>,
  reading: Reading,
  within?: Kysely<Tables>,
): Promise<void> {
  const priority = Math.min(PRIORITY_MAX, await countUnderWay(within ?? db, reading.user_id))
  await addJob({ jobs }, reading, { priority, ...(within && { within }) })
}

/** Has more of a large document done, behind what people have waiting, except what is behind many others of its own person. */
export async function requestMore(
  deps: Pick<RunDeps, 'jobs'>,
  reading: Reading,
  within: Kysely<Tables>,
): Promise<void> {
  await addJob(deps, reading, { priority: PRIORITY_OF_MORE, within })
}

/** Has the next phase of a reading done: what was begun comes before what was not. */
export async function requestNextPhase(
  deps: Pick<RunDeps, 'jobs'>,
  reading: Reading,
  within: Kysely<Tables>,
): Promise<void> {
  await addJob(deps, reading, { priority: 1, within })
}

/** One job a phase, two at once for a person: everybody's documents move at the same time. */
async function addJob(
  { jobs }: Pick<RunDeps, 'jobs'>,
  { id, attempt, user_id }: Reading,
  options: { priority: number; within?: Kysely<Tables> },
): Promise<void> {
  const lane = Number.parseInt(id.slice(-1), 16) % 2
  const place = { key: jobKey(id), queue: `documents:${user_id}:${lane}` }
  await jobs.add(jobName, { reading_id: id, attempt, user_id }, { ...place, ...options })
}
