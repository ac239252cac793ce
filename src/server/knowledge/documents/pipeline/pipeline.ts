import { availableParallelism } from 'node:os'
import type { Kysely } from 'kysely'
import type { FailureCode } from '../../../../parsers/elements/port.ts'
import { isDiskFull, isUnreachable } from '../../../platform/db/db.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import { Unreadable } from '../../../platform/parsing/parsing.ts'
import type { RunDeps } from '../../../runs/run-deps.ts'
import { chunkReading } from './chunk.ts'
import { embedReading } from './embed.ts'
import { embedAllowed } from './embed-allowed.ts'
import { parseReading } from './parse.ts'
import { jobKey, jobName, requestMore, requestNextPhase, requestProcessing } from './request.ts'
import {
  type Attempt,
  beginPhase,
  failReading,
  listQuiet,
  type Phase,
  type Turn,
  type Work,
} from './store.ts'

/** Maximum restarts of a phase whose process ended. High, because files are parsed in other processes and are seldom the cause. */
const TRIES_MAX = 10
/** Maximum tries after an unexpected error. */
const FAILURES_MAX = 3
/** A reading without updates for this long may have lost its job. */
const QUIET_MS = 20_000

/** Concurrent documents per process: more than it parses, because others are cut and embedded meanwhile. */
const PLACES = Math.max(4, availableParallelism())

const phases: Record<Phase, (deps: RunDeps, work: Work, turn: Turn) => Promise<void>> = {
  PARSING: parseReading,
  CHUNKING_ENRICHMENT: chunkReading,
  EMBEDDING: embedReading,
}

/** Registers the document jobs of this process. */
export function registerPipeline(deps: RunDeps): void {
  deps.jobs.register(
    jobName,
    ({ reading_id, attempt, user_id }, signal) =>
      process(deps, { id: String(reading_id), attempt: Number(attempt), user_id: String(user_id) }, signal),
    { places: PLACES },
  )
  deps.jobs.register('look-after-documents', () => lookAfterQuiet(deps), { cron: '* * * * *' })
  deps.jobs.register('embed-allowed-documents', () => embedAllowed(deps), { cron: '*/5 * * * *' })
}

type Reading = Attempt & { user_id: string }

/** Runs the current phase of a reading, and the following ones while it is small. A job that is repeated continues with the stored phase. */
async function process(deps: RunDeps, reading: Reading, signal: AbortSignal): Promise<void> {
  await deps.jobs.prepare()
  while (await runPhase(deps, reading, signal)) signal.throwIfAborted()
}

/**
 * Runs one phase. Returns whether the next one follows in this job; otherwise it is requested. A problem of the file fails the reading; a
 * problem of the installation is retried.
 */
async function runPhase(deps: RunDeps, reading: Reading, signal: AbortSignal): Promise<boolean> {
  const work = await beginPhase(deps.db, reading, deps.clock.now())
  if (!work) return false
  if (work.tries > TRIES_MAX) {
    await fail(deps, work, 'crashed')
    return false
  }
  let isNextHere = false
  try {
    const next: Turn['next'] = async (trx, { isSmall }) => {
      isNextHere = isSmall
      if (!isSmall) await requestNextPhase(deps, reading, trx)
    }
    const again = (trx: Kysely<Tables>) => requestMore(deps, reading, trx)
    await phases[work.phase](deps, work, { signal, next, again })
    return isNextHere
  } catch (error) {
    signal.throwIfAborted()
    await handleFailure(deps, work, error)
    return false
  }
}

/** @throws the error when the phase is to be tried again */
async function handleFailure(deps: RunDeps, work: Work, error: unknown): Promise<void> {
  if (error instanceof Unreadable) {
    if (error.cause) deps.log.warn({ error, reading: work.id }, 'a document could not be read')
    return fail(deps, work, error.code, error.values)
  }
  if (isUnreachable(error) || isDiskFull(error) || work.tries < FAILURES_MAX) throw error
  deps.log.error({ error, reading: work.id }, 'a document could not be processed')
  await fail(deps, work, 'crashed')
}

async function fail(
  { db }: RunDeps,
  work: Work,
  code: FailureCode,
  values: Record<string, string | number> = {},
): Promise<void> {
  await failReading(db, work, { code, values })
}

/** Requests a new job for readings that lost theirs. */
async function lookAfterQuiet(deps: RunDeps): Promise<void> {
  const before = new Date(deps.clock.now().getTime() - QUIET_MS)
  for (const reading of await listQuiet(deps.db, before))
    if (!(await deps.jobs.has(jobKey(reading.id)))) await requestProcessing(deps, reading)
}
