import type { Kysely } from 'kysely'
import * as z from 'zod'
import { RECEIPT_DAYS } from '#shared/lifecycle/erasure/erasure.ts'
import { jobKey as readingKey } from '../../knowledge/documents/documents.ts'
import type { ErasureStep } from '../../platform/db/export-tables.ts'
import type { Tables } from '../../platform/db/tables.ts'
import type { Platform } from '../../platform/platform.ts'
import { stopRun, stopSession } from '../../runs/runs/runs.ts'
import type { Deps } from '../../tools/deps.ts'
import { isAccountHeld } from './close-store.ts'
import {
  emptyWebCaches,
  listStandaloneRuns,
  nextChats,
  renewSamples,
  takeAccount,
  takeChats,
  takeDocuments,
} from './content-store.ts'
import { eraseVectors, forgetVersions, VERSIONS_MS } from './erase-vectors.ts'
import {
  addCounts,
  deleteOldReceipts,
  type Erasure,
  findErasure,
  forgetFiles,
  listFiles,
  listUnfinished,
  noteFiles,
  noteFinished,
  noteStep,
} from './store.ts'
import { mailReceipt, openAddress } from './write-receipt.ts'

const jobName = 'erase-account'
const Payload = z.object({ erasureId: z.string() })
const CHATS_PER_STEP = 20
const DOCUMENTS_PER_STEP = 50

export async function requestErasing(
  { jobs }: Pick<Platform, 'jobs'>,
  erasureId: string,
  options: { within?: Kysely<Tables>; runAt?: Date } = {},
): Promise<void> {
  await jobs.add(jobName, { erasureId }, { key: `erase ${erasureId}`, ...options })
}

/** Registers the erasure jobs. An hourly check finds lost ones. */
export function registerErasing(deps: Deps): void {
  deps.jobs.register(jobName, (payload, signal) => erase(deps, Payload.parse(payload).erasureId, signal), {
    places: 1,
  })
  const look = async () => {
    for (const id of await listUnfinished(deps.db))
      if (!(await deps.jobs.has(`erase ${id}`))) await requestErasing(deps, id)
    await deleteOldReceipts(deps.db, new Date(deps.clock.now().getTime() - RECEIPT_DAYS * 86_400_000))
  }
  deps.jobs.register('look-for-erasures', look, { cron: '41 * * * *' })
}

/** Continues an erasure. Each part commits, so a killed one resumes after its last part. */
export async function erase(deps: Deps, id: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted()
    const erasure = await findErasure(deps.db, id)
    if (!erasure || erasure.step === 'done') return
    // A hold was placed meanwhile. The hourly check continues once it is lifted.
    if (erasure.user_id && (await isAccountHeld(deps.db, erasure.user_id))) return
    const goesOn = await steps[erasure.step](deps, erasure)
    if (!goesOn) return
  }
}

type Step = (deps: Deps, erasure: Erasure) => Promise<boolean>

/** The steps; each returns whether it has more to do. */
const steps: Record<Exclude<ErasureStep, 'done'>, Step> = {
  chats: async (deps, { id, user_id }) => {
    const userId = user_id as string
    for (const run of await listStandaloneRuns(deps.db, userId)) await stopRun(deps.engine, run)
    const chats = await nextChats(deps.db, userId, CHATS_PER_STEP)
    if (chats.length === 0) return next(deps, id, 'documents')
    for (const chat of chats) await stopSession(deps.engine, chat)
    await deps.db.transaction().execute(async (trx) => {
      const { files, counts } = await takeChats(trx, chats)
      await noteFiles(trx, id, files)
      await addCounts(trx, id, counts)
    })
    return true
  },
  documents: async (deps, { id, user_id }) => {
    const readings = await deps.db.transaction().execute(async (trx) => {
      const taken = await takeDocuments(trx, user_id as string, DOCUMENTS_PER_STEP)
      if (!taken) return null
      await noteFiles(trx, id, taken.files)
      await addCounts(trx, id, taken.counts)
      return taken.readings
    })
    if (!readings) return next(deps, id, 'account')
    for (const reading of readings) await deps.jobs.cancel(readingKey(reading))
    return true
  },
  account: async (deps, { id, user_id, company_id }) => {
    await deps.db.transaction().execute(async (trx) => {
      const { files, counts } = await takeAccount(trx, user_id as string, company_id)
      await noteFiles(trx, id, files)
      await addCounts(trx, id, counts)
      await emptyWebCaches(trx)
      await noteStep(trx, id, 'files')
    })
    return true
  },
  files: async (deps, { id, email }) => {
    const keys = await listFiles(deps.db, id)
    for (const key of keys) await deps.files.remove(key)
    await forgetFiles(deps.db, id, keys)
    if (keys.length > 0) return true
    const address = openAddress(deps, email)
    const mails = address === null ? 0 : await deps.mail.forget(address)
    await addCounts(deps.db, id, { mails })
    return next(deps, id, 'vectors')
  },
  vectors: async (deps, { id, user_id }) => {
    await eraseVectors(deps, user_id as string)
    await noteStep(deps.db, id, 'versions', { vectors_at: deps.clock.now() })
    return true
  },
  versions: async (deps, erasure) => {
    const rewritten = erasure.vectors_at as Date
    const due = new Date(rewritten.getTime() + VERSIONS_MS)
    if (deps.clock.now() < due) {
      await requestErasing(deps, erasure.id, { runAt: due })
      return false
    }
    await forgetVersions(deps, rewritten)
    await renewSamples(deps.db)
    const finished = { ...erasure, finished_at: deps.clock.now() }
    await mailReceipt(deps, finished)
    await noteFinished(deps.db, erasure.id, finished.finished_at)
    return false
  },
}

async function next({ db }: Deps, id: string, step: ErasureStep): Promise<true> {
  await noteStep(db, id, step)
  return true
}
