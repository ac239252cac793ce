import type { Engine } from '../engine.ts'
import { resumeRuns } from '../hold.ts'
import { findPayable } from './store.ts'

/** Notification channel for money added to a ledger or released (migrations/0013_money.sql). */
const channel = 'atrium_balance'
/** Payload when a budget was raised (migrations/0124_budgets.sql). */
const EVERYBODY = 'everybody'
/** Poll interval for missed notifications, in milliseconds. */
const LOOK_MS = 30_000
/** Maximum runs resumed per poll, so that a bulk top-up does not start all of them together. */
const RESUMES_AT_ONCE = 20
const NEXT_MS = 1_000

/** Resumes runs paused for lack of funds as soon as they can be paid for. Returns the function that stops watching. */
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

/** Resumes payable runs of a user, or of all users. Returns how many were found. */
async function resumePaid(engine: Engine, userId: string | null): Promise<number> {
  const { db, config } = engine.deps
  const ids = await findPayable(db, userId, {
    isFree: config.ATRIUM_BILLING === 'off',
    limit: RESUMES_AT_ONCE,
  })
  await resumeRuns(engine, ids, ['paused'])
  return ids.length
}
