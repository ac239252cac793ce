import type { Kysely } from 'kysely'
import type { Tables } from '../../../platform/db/tables.ts'
import type { RunDeps } from '../../../runs/run-deps.ts'
import { type Attempt, countUnderWay } from './store.ts'

export const jobName = 'process-document'
export const jobKey = (readingId: string) => `reading:${readingId}`

/** The queue accepts at most 32,767. */
const PRIORITY_MAX = 30_000
const PRIORITY_OF_MORE = 100

type Reading = Attempt & { user_id: string }

/**
 * Requests the processing of a reading. Its priority is the number of readings its user has in progress, so small uploads overtake large
 * ones. Call `jobs.prepare` before the transaction.
 */
export async function requestProcessing(
  { db, jobs }: Pick<RunDeps, 'db' | 'jobs'>,
  reading: Reading,
  within?: Kysely<Tables>,
): Promise<void> {
  const priority = await countUnderWay(within ?? db, reading.user_id, PRIORITY_MAX)
  await addJob({ jobs }, reading, { priority, ...(within && { within }) })
}

/** Requests the processing of several readings of one user in a transaction, in their order. Call `jobs.prepare` before it. */
export async function requestAll(
  { jobs }: Pick<RunDeps, 'jobs'>,
  userId: string,
  readings: readonly Attempt[],
  within: Kysely<Tables>,
): Promise<void> {
  if (readings.length === 0) return
  const first = (await countUnderWay(within, userId, PRIORITY_MAX)) - readings.length + 1
  const wanted = readings.map((reading, at) => {
    const { payload, place } = jobOf({ ...reading, user_id: userId })
    return { payload, ...place, priority: first + at }
  })
  await jobs.addMany(jobName, wanted, within)
}

/** Requests another turn for a large document, behind waiting documents, except those behind many others of the same user. */
export async function requestMore(
  deps: Pick<RunDeps, 'jobs'>,
  reading: Reading,
  within: Kysely<Tables>,
): Promise<void> {
  await addJob(deps, reading, { priority: PRIORITY_OF_MORE, within })
}

/** Requests the next phase of a reading, ahead of documents that have not started. */
export async function requestNextPhase(
  deps: Pick<RunDeps, 'jobs'>,
  reading: Reading,
  within: Kysely<Tables>,
): Promise<void> {
  await addJob(deps, reading, { priority: 1, within })
}

/** Adds one job per phase. Two lanes per user keep the documents of all users moving. */
async function addJob(
  { jobs }: Pick<RunDeps, 'jobs'>,
  reading: Reading,
  options: { priority: number; within?: Kysely<Tables> },
): Promise<void> {
  const { payload, place } = jobOf(reading)
  await jobs.add(jobName, payload, { ...place, ...options })
}

function jobOf({ id, attempt, user_id }: Reading) {
  const lane = Number.parseInt(id.slice(-1), 16) % 2
  const place = { key: jobKey(id), queue: `documents:${user_id}:${lane}` }
  return { payload: { reading_id: id, attempt, user_id }, place }
}
