import { setTimeout as sleep } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { API_BASE } from '#shared/platform/http.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import { explainFailure, fateOf } from '../../../platform/mail/mail.ts'
import type { Platform } from '../../../platform/platform.ts'
import { findMailLook, wearLook } from '../../branding/branding.ts'
import { composeAnnouncement } from './compose.ts'
import {
  type Addressed,
  claimNext,
  dropUnmeant,
  listAddressees,
  lockSchedule,
  markInterrupted,
  nextDue,
  setProblem,
  settle,
  stopWaiting,
} from './mail-store.ts'
import { sealUnsubscription } from './unsubscribe.ts'

export const SEND = 'mail-announcement'
/** Mails of one job. Announcements take turns after each. */
const BATCH = 25
const MINUTE_MS = 60_000
/** Wait after a problem with the mail server. */
const RETRY_MS = 5 * MINUTE_MS
/** Wait after a server refuses an addressee for now, times the tries so far. */
const LATER_MS = 15 * MINUTE_MS
const MAX_TRIES = 5

/**
 * Adds the job that sends the mails of an announcement. All such jobs share one queue, so that their pace is that of the whole
 * installation.
 */
export async function queueMails(
  { jobs }: Pick<Platform, 'jobs'>,
  id: string,
  options: { runAt?: Date; within?: Kysely<Tables> } = {},
): Promise<void> {
  await jobs.add(SEND, { id }, { key: `${SEND} ${id}`, queue: SEND, ...options })
}

/** Sends the next mails of an announcement at the configured pace, and adds a job for the rest. */
export async function sendMails(deps: Platform, id: string, signal: AbortSignal): Promise<void> {
  const { db, clock, config } = deps
  const start = await beginBatch(deps, id)
  if (start === null) return
  if (start > clock.now()) return queueMails(deps, id, { runAt: start })
  if (!(await serverTakesMail(deps, id))) return
  await setProblem(db, id, null)
  for (let sent = 0; sent < BATCH && !signal.aborted; sent += 1) {
    const addressed = await claimNext(db, id, clock.now())
    if (!addressed) break
    if (!(await sendOne(deps, id, addressed))) return
    await sleep(MINUTE_MS / config.ATRIUM_LIMIT_MAILS_A_MINUTE, undefined, { signal }).catch(() => undefined)
  }
  const due = await nextDue(db, id)
  if (due) await queueMails(deps, id, { runAt: due })
}

/** Prepares the mails of an announcement. Returns when they may leave; null when they may not, which stops those that wait. */
function beginBatch({ db, clock, config }: Platform, id: string): Promise<Date | null> {
  const now = clock.now()
  return db.transaction().execute(async (trx) => {
    const schedule = await lockSchedule(trx, id)
    if (!schedule) return null
    // The queue runs one job at a time, so the job that was sending them is gone.
    await markInterrupted(trx, id, now)
    if (!schedule.by_mail || schedule.ends_at <= now) {
      await stopWaiting(trx, id, now)
      return null
    }
    if (schedule.starts_at > now) return schedule.starts_at
    if (schedule.mails_listed_at === null)
      await listAddressees(trx, id, { now, betaOnly: config.ATRIUM_BETA === 'on' })
    await dropUnmeant(trx, id)
    return schedule.starts_at
  })
}

/** Checks the mail server before an addressee is involved. */
async function serverTakesMail(deps: Platform, id: string): Promise<boolean> {
  if ((await nextDue(deps.db, id)) === undefined) return true
  if ((await deps.mail.host()) === null) return pause(deps, id, 'no_server')
  try {
    await deps.mail.check()
    return true
  } catch (error) {
    return pause(deps, id, explainFailure(error).outcome)
  }
}

/** Sends one mail and stores what became of it. Returns false when the others have to wait. */
async function sendOne(deps: Platform, id: string, to: Addressed): Promise<boolean> {
  const { db, clock, secrets, mail } = deps
  const home = deps.publicUrl()
  const token = encodeURIComponent(sealUnsubscription(secrets, to.user_id))
  const links = {
    home,
    stopPage: `${home}/login/unsubscribe?token=${token}`,
    oneClick: `${home}${API_BASE}/announcement-mails/unsubscribe?token=${token}`,
  }
  const mine = { id, userId: to.user_id }
  const look = await findMailLook(db, { userId: to.user_id })
  try {
    await mail.send(wearLook(look, composeAnnouncement(to, links, look?.name)))
  } catch (error) {
    const now = clock.now()
    const { outcome, said } = explainFailure(error)
    const fate = fateOf(error)
    const due = new Date(now.getTime() + (fate === 'later' ? to.tries * LATER_MS : 0))
    const tries = fate === 'unsent' ? to.tries - 1 : to.tries
    await settle(db, mine, { state: stateAfter(fate, to.tries), tries, said, due, now })
    return fate === 'refused' || fate === 'later' || pause(deps, id, outcome)
  }
  const now = clock.now()
  await settle(db, mine, { state: 'sent', tries: to.tries, said: null, due: now, now })
  return true
}

function stateAfter(fate: ReturnType<typeof fateOf>, tries: number) {
  if (fate === 'unsent') return 'waiting'
  if (fate === 'unknown') return 'unknown'
  return fate === 'later' && tries < MAX_TRIES ? 'waiting' : 'failed'
}

/** Lets the mails wait for the mail server. */
async function pause(deps: Platform, id: string, problem: string): Promise<false> {
  const next = new Date(deps.clock.now().getTime() + RETRY_MS)
  await setProblem(deps.db, id, { problem, next })
  await queueMails(deps, id, { runAt: next })
  return false
}
