import { SLOT_DAYS } from '#shared/chat/schedules/slots.ts'
import { AppError } from '#shared/platform/errors.ts'
import { isRolledBack, isUnreachable } from '../../../platform/db/db.ts'
import { stopRun } from '../../../runs/runs/runs.ts'
import type { Deps } from '../../../tools/deps.ts'
import { endSlot, removeOldSlots, stopRunOfSlot } from '../slot-store.ts'
import { askDeputies, claimSlot, type DueSlot, letWait, listUnanswered } from './due-store.ts'
import { planAndRemind } from './plan-and-remind.ts'
import { startSlot, WithdrawnError } from './start-slot.ts'

const RUN = 'run-schedules'
const QUESTIONS_PER_STEP = 50
const DAY_MS = 86_400_000

/** Registers the job that plans and starts slots every minute, and the one that removes old slots. */
export function registerRuns(deps: Deps): void {
  const { jobs, db, clock } = deps
  jobs.register(RUN, (_, signal) => runSchedules(deps, signal), { cron: '* * * * *', places: 1 })
  const cleanUp = () => removeOldSlots(db, new Date(clock.now().getTime() - SLOT_DAYS * DAY_MS))
  jobs.register('schedules.cleanup', cleanUp, { cron: '37 * * * *' })
}

/** Starts due slots without waiting for the minute. */
export async function requestRuns({ jobs }: Pick<Deps, 'jobs'>): Promise<void> {
  await jobs.add(RUN, {}, { key: RUN })
}

/** Plans, settles missed slots and unanswered questions, and starts what is due. Any number of processes may do so. */
export async function runSchedules(deps: Deps, signal: AbortSignal): Promise<void> {
  const { db } = deps
  await planAndRemind(db, signal)
  await startDue(deps, signal)
  await skipUnanswered(deps, signal)
  await askDeputies(db)
}

async function startDue(deps: Deps, signal: AbortSignal): Promise<void> {
  let last: string | null = null
  for (;;) {
    signal.throwIfAborted()
    const slot: DueSlot | null = await claimSlot(deps.db, last)
    if (!slot) return
    last = slot.id
    await startOne(deps, slot)
  }
}

/** Codes of passing failures: the slot waits for the next minute. */
const passing = new Set(['session_busy', 'rate_limited', 'unavailable'])

async function startOne(deps: Deps, slot: DueSlot): Promise<void> {
  const { db, log } = deps
  try {
    const outcome = await startSlot(deps, slot)
    if (outcome === 'busy') await waitOrSkip(deps, slot)
  } catch (error) {
    if (isUnreachable(error)) throw error
    if (error instanceof WithdrawnError) {
      const { thing: name, detail } = error
      await endSlot(db, slot.id, 'failed', { code: 'withdrawn', name, detail })
    } else if (isRolledBack(error) || (error instanceof AppError && passing.has(error.code))) {
      await waitOrSkip(deps, { ...slot, overlap: 'wait' })
    } else if (error instanceof AppError) {
      await endSlot(db, slot.id, 'failed', { code: error.code, detail: error.detail })
    } else {
      log.error({ error, slot: slot.id }, 'A slot of a schedule could not be started.')
      await endSlot(db, slot.id, 'failed', { code: 'internal' })
    }
  }
}

/** Lets a slot wait for the previous one, or skips it, as its schedule says. */
async function waitOrSkip({ db }: Deps, { id, overlap }: Pick<DueSlot, 'id' | 'overlap'>): Promise<void> {
  if (overlap !== 'skip' && (await letWait(db, id))) return
  await endSlot(db, id, 'skipped', { code: 'overlap' })
}

/** Skips slots whose questions were not answered in time, and stops their runs. */
async function skipUnanswered(deps: Deps, signal: AbortSignal): Promise<void> {
  for (const { id, run_id } of await listUnanswered(deps.db, QUESTIONS_PER_STEP)) {
    signal.throwIfAborted()
    await endWithRun(deps, id, run_id, { state: 'skipped', code: 'unanswered' })
  }
}

type Ending = { state: 'skipped' | 'stopped'; code: string }

/** Ends a slot and asks its run to stop in one commit. A run that cannot stop now is stopped by the engine later. */
export async function endWithRun(
  deps: Deps,
  id: string,
  runId: string | null,
  { state, code }: Ending,
): Promise<boolean> {
  const isEnded = await deps.db.transaction().execute(async (trx) => {
    await stopRunOfSlot(trx, id)
    return endSlot(trx, id, state, { code })
  })
  if (isEnded && runId) await stopQuietly(deps, runId)
  return isEnded
}

/** Stops a run that was asked to stop. The engine stops one later that cannot stop now. */
export async function stopQuietly({ engine }: Pick<Deps, 'engine'>, runId: string): Promise<void> {
  await stopRun(engine, runId).catch((error) => {
    if (!(error instanceof AppError)) throw error
  })
}
