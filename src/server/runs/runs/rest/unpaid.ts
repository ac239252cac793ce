import type { Engine } from '../engine.ts'
import { resumeRuns } from '../hold.ts'
import { findPayable } from './store.ts'

/** What the database says when money has come to a user's ledger, or is free again (migrations/0013_money.sql). */
const channel = 'atrium_balance'
/** What it says when a budget was raised (migrations/0124_budgets.sql). */
const EVERYBODY = 'everybody'
/** How often it is looked for what was said while nobody could hear it, in milliseconds. */
const LOOK_MS = 30_000
/** Runs taken up per look, so that a top-up of many does not wake all at once; the rest follow after this time. */
const RESUMES_AT_ONCE = 20
const NEXT_MS = 1_000

/** Goes on with runs that stood still for want of balance as soon as they can be paid for; the answer ends it. */
export function watchUnpaid(engine: Engine): () => void {
  const { instance, log } = engine.deps
  const report = (error: unknown) =>
    log.warn({ error }, 'Runs that wait for a top-up could not be looked for.')
  let isOver = false
  const look = async (userId: string | null) => {
    if (isOver || engine.isDraining) return
    const found = await resumePaid(engine, userId)
    if (found === RESUMES_AT_ONCE) setTimeout(() => look(userId).catch(report), NEXT_MS).unref()
  }
  const lookForAll = () => look(null).catch(report)
  instance
    .listen(channel, (payload) => {
      if (payload === EVERYBODY) return void lookForAll()
      engine.reservations.wake(payload)
      look(payload).catch(report)
    })
    .catch(report)
  instance.onRenewed(lookForAll)
  lookForAll()
  const timer = setInterval(lookForAll, LOOK_MS)
  timer.unref()
  return () => {
    isOver = true
    clearInterval(timer)
  }
}

/** Takes up runs of a user, or of all, that can be paid for now; answers how many were found. */
async function resumePaid(engine: Engine, userId: string | null): Promise<number> {
  const { db, config } = engine.deps
  const ids = await findPayable(db, userId, {
    isFree: config.ATRIUM_BILLING === 'off',
    limit: RESUMES_AT_ONCE,
  })
  await resumeRuns(engine, ids, ['paused'])
  return ids.length
}
