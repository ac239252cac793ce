import type { Kysely } from 'kysely'
import { AppError } from '#shared/platform/errors.ts'
import { deleteDocument, lockReadings, jobKey as readingKey } from '../../knowledge/documents/documents.ts'
import { forgetPassages } from '../../knowledge/search/search.ts'
import type { RetentionStep } from '../../platform/db/export-tables.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { stopRun, stopSession } from '../../runs/runs/runs.ts'
import type { Deps } from '../../tools/deps.ts'
import {
  emptyWebCaches,
  forgetVersions,
  renewSamples,
  rewriteVectors,
  takeChats,
  VERSIONS_MS,
} from '../erasure/erasure.ts'
import { auditDays, type Due, nextDue, type OwnedKind } from './due-store.ts'
import { findUnfinished, forgetFiles, nextFiles, noteRun, noteTaken, type Run, tookAny } from './run-store.ts'
import {
  lockQuiet,
  lockUnchanged,
  readClock,
  type Taken,
  takeAuditEntries,
  takeFiles,
  takeGivenFiles,
  takeToolRuns,
} from './take-store.ts'

const AT_ONCE = 20
const FILES_AT_ONCE = 100
const ENTRIES_AT_ONCE = 500
const DAY_MS = 86_400_000

/**
 * Continues the day's retention run. Each part commits, so a killed one resumes after its last part. Returns when to call it
 * again, or null when it is done.
 */
export async function deleteDue(deps: Deps, signal: AbortSignal): Promise<Date | null> {
  // Chats that cannot be stopped now do not block others. They are due again tomorrow.
  const left: string[] = []
  for (;;) {
    signal.throwIfAborted()
    const run = await findUnfinished(deps.db)
    if (!run || run.step === 'done') return null
    const next = await steps[run.step](deps, run, left)
    if (next instanceof Date) return next
    if (next) await noteRun(deps.db, run.id, { step: next })
  }
}

/** A step returns the next step, null while it has more to do, and a time when it must wait. */
type Step = (deps: Deps, run: Run, left: string[]) => Promise<RetentionStep | Date | null>

const steps: Record<Exclude<RetentionStep, 'done'>, Step> = {
  chats: async (deps, run, left) => {
    const due = await next(deps, 'chats', left, AT_ONCE)
    if (due.length === 0) return 'tool_runs'
    const since = await readClock(deps.db)
    const stopped = await stopEach(due, left, ({ id }) => stopSession(deps.engine, id))
    await inParts(deps, run, 'chats', stopped, async (trx, ids) => {
      const quiet = await lockQuiet(trx, ids, since)
      const given = await takeGivenFiles(trx, quiet)
      const { made } = await takeChats(trx, quiet)
      return { items: quiet.length, files: [...given, ...made] }
    })
    return null
  },
  tool_runs: async (deps, run, left) => {
    const due = await next(deps, 'tool_runs', left, AT_ONCE)
    if (due.length === 0) return 'files'
    const stopped = await stopEach(due, left, ({ id }) => stopRun(deps.engine, id))
    await inParts(deps, run, 'tool_runs', stopped, takeToolRuns)
    return null
  },
  files: async (deps, run, left) => {
    const due = await next(deps, 'files', left, FILES_AT_ONCE)
    if (due.length === 0) return 'documents'
    await inParts(deps, run, 'files', due, takeFiles)
    return null
  },
  documents: async (deps, run, left) => {
    const due = await next(deps, 'documents', left, AT_ONCE)
    if (due.length === 0) return 'audit'
    for (const one of due) await takeOne(deps, run, one)
    return null
  },
  audit: async (deps, run) => {
    const days = await auditDays(deps.db)
    if (days === null) return 'stored'
    const before = new Date(deps.clock.now().getTime() - days * DAY_MS)
    return deps.db.transaction().execute(async (trx) => {
      const taken = await takeAuditEntries(trx, before, ENTRIES_AT_ONCE)
      if (taken.items > 0) await noteTaken(trx, run.id, { kind: 'audit', companyId: null }, taken)
      return taken.items < ENTRIES_AT_ONCE ? 'stored' : null
    })
  },
  stored: async ({ db, files }, { id }) => {
    const keys = await nextFiles(db, id)
    if (keys.length === 0) return 'vectors'
    for (const key of keys) await files.remove(key)
    await forgetFiles(db, id, keys)
    return null
  },
  vectors: async (deps, { id }) => {
    if (await tookAny(deps.db, id, 'chats')) await emptyWebCaches(deps.db)
    if (!(await tookAny(deps.db, id, 'documents'))) return finish(deps, id)
    await forgetPassages(deps)
    await rewriteVectors(deps)
    await noteRun(deps.db, id, { vectors_at: deps.clock.now() })
    return 'versions'
  },
  versions: async (deps, { id, vectors_at }) => {
    const rewritten = vectors_at as Date
    const due = new Date(rewritten.getTime() + VERSIONS_MS)
    if (deps.clock.now() < due) return due
    await forgetVersions(deps, rewritten)
    return finish(deps, id)
  },
}

async function finish({ db, clock }: Deps, id: string): Promise<RetentionStep> {
  for (const kind of ['chats', 'tool_runs', 'documents'] as const)
    if (await tookAny(db, id, kind)) {
      await renewSamples(db)
      break
    }
  await noteRun(db, id, { step: 'done', finished_at: clock.now(), failed_at: null })
  return 'done'
}

const next = ({ db, clock }: Deps, kind: OwnedKind, left: string[], limit: number) =>
  nextDue(db, kind, { now: clock.now(), except: left, limit })

/** Stops active work in chats and tools. Returns those without active work. */
async function stopEach(due: Due[], left: string[], stop: (one: Due) => Promise<void>): Promise<Due[]> {
  const stopped: Due[] = []
  for (const one of due)
    try {
      await stop(one)
      stopped.push(one)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      left.push(one.id)
    }
  return stopped
}

/** Deletes things in one commit and counts them by company. */
async function inParts(
  { db }: Deps,
  run: Run,
  kind: OwnedKind,
  due: Due[],
  take: (trx: Kysely<Tables>, ids: string[]) => Promise<Taken>,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    for (const [companyId, group] of Map.groupBy(due, ({ company_id }) => company_id)) {
      const taken = await take(
        trx,
        group.map(({ id }) => id),
      )
      if (taken.items > 0) await noteTaken(trx, run.id, { kind, companyId }, taken)
    }
  })
}

/** Deletes a document in its own commit, because jobs lock a reading before its documents. */
async function takeOne({ db, jobs }: Deps, run: Run, { id, since, company_id }: Due): Promise<void> {
  const readings = await db.transaction().execute(async (trx) => {
    const locked = await lockReadings(trx, id)
    if (!(await lockUnchanged(trx, id, since))) return []
    const gone = await deleteDocument(trx, id, locked)
    const made = gone.folders.flatMap(({ id: reading, names }) =>
      names.map((name) => ({ file_key: `readings/${reading}/${name}`, size: 0 })),
    )
    const taken = { items: 1, files: [...gone.files, ...made] }
    await noteTaken(trx, run.id, { kind: 'documents', companyId: company_id }, taken)
    return gone.readings
  })
  for (const reading of readings) await jobs.cancel(readingKey(reading))
}
