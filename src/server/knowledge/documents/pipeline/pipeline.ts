import { availableParallelism } from 'node:os'
import type { Kysely } from 'kysely'
import type { FailureCode } from '../../../../parsers/elements/port.ts'
import { isDiskFull, isUnreachable } from '../../../platform/db/db.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import { Unreadable } from '../../../platform/parsing/parsing.ts'
import type { RunDeps } from '../../../runs/run-deps.ts'
import { chunkReading } from './chunk.ts'
import { embedReading } from './embed.ts'
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

/** A phase whose process ends is begun anew so often at most: files are read elsewhere, so it is seldom their fault. */
const TRIES_MAX = 10
/** What fails in a way nobody expects is tried so often. */
const FAILURES_MAX = 3
/** A reading that nobody touched for so long is looked at: its job may be lost. */
const QUIET_MS = 20_000

/** Documents a process works on at once: more than it reads, for others are cut and embedded meanwhile. */
const PLACES = Math.max(4, availableParallelism())

const phases: Record<Phase, (deps: RunDeps, work: Work, turn: Turn) => Promise<void>> = {
  PARSING: parseReading,
  CHUNKING_ENRICHMENT: chunkReading,
  EMBEDDING: embedReading,
}

/** Puts the work on documents on the jobs of this process. */
export function registerPipeline(deps: RunDeps): void {
  deps.jobs.register(
    jobName,
    ({ reading_id, attempt, user_id }, signal) =>
      process(deps, { id: String(reading_id), attempt: Number(attempt), user_id: String(user_id) }, signal),
    { places: PLACES },
  )
  deps.jobs.register('look-after-documents', () => lookAfterQuiet(deps), { cron: '* * * * *' })
}

/** One phase, and the request for the next. What a file is not is its end; what the house lacks is tried again. */
async function process(
  deps: RunDeps,
  reading: Attempt & { user_id: string },
  signal: AbortSignal,
): Promise<void> {
  await deps.jobs.prepare()
  const work = await beginPhase(deps.db, reading, deps.clock.now())
  if (!work) return
  if (work.tries > TRIES_MAX) return fail(deps, work, 'crashed')
  try {
    const next = (trx: Kysely<Tables>) => requestNextPhase(deps, reading, trx)
    const again = (trx: Kysely<Tables>) => requestMore(deps, reading, trx)
    await phases[work.phase](deps, work, { signal, next, again })
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof Unreadable) {
      if (error.cause) deps.log.warn({ error, reading: work.id }, 'A document could not be read.')
      return fail(deps, work, error.code, error.values)
    }
    if (isUnreachable(error) || isDiskFull(error) || work.tries < FAILURES_MAX) throw error
    deps.log.error({ error, reading: work.id }, 'A document could not be processed.')
    await fail(deps, work, 'crashed')
  }
}

async function fail(
  { db }: RunDeps,
  work: Work,
  code: FailureCode,
  values: Record<string, string | number> = {},
): Promise<void> {
  await failReading(db, work, { code, values })
}

/** Readings whose job is gone are given a new one: nothing stays as it is for ever. */
async function lookAfterQuiet(deps: RunDeps): Promise<void> {
  const before = new Date(deps.clock.now().getTime() - QUIET_MS)
  for (const reading of await listQuiet(deps.db, before))
    if (!(await deps.jobs.has(jobKey(reading.id)))) await requestProcessing(deps, reading)
}
