import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { mailTime } from '#shared/lifecycle/notifications/mail-time.ts'
import { API_BASE } from '#shared/platform/http.ts'
import { readUser } from '../../../identity/accounts/accounts.ts'
import { findMailLook, wearLook } from '../../../identity/branding/branding.ts'
import { explainFailure, fateOf } from '../../../platform/mail/mail.ts'
import type { Platform } from '../../../platform/platform.ts'
import { sealAnswer } from '../answering/answer-token.ts'
import { endOfAnswering } from '../answering/mail-question.ts'
import { findQuotable } from '../notification-store.ts'
import { isPresent } from '../presence-store.ts'
import { findSettings, type StoredSettings } from '../settings-store.ts'
import { composeNotifications } from './compose-notifications.ts'
import {
  claimMails,
  type DueMails,
  findDueMails,
  handToWebhooks,
  markInterrupted,
  postpone,
  settleMail,
  skipMails,
  skipUnwanted,
} from './delivery-store.ts'
import { sealUnsubscription } from './notification-token.ts'

export const SEND = 'send-notifications'

const MINUTE_MS = 60_000
/** Wait after a problem with the mail server. */
const RETRY_MS = 5 * MINUTE_MS
/** Wait after a server refuses an addressee for now, times the tries so far. */
const LATER_MS = 15 * MINUTE_MS
const MAX_TRIES = 5
/** People and kinds looked at in one job. */
const BATCH = 50
/** Notifications in one mail. */
const MAX_COMBINED = 50
/** Notifications handed to webhooks in one transaction. */
const WEBHOOK_BATCH = 200

/** Sends the due notifications by webhook and mail. All such jobs share one queue, so one at a time runs. */
export async function sendNotifications(deps: Platform, signal: AbortSignal): Promise<void> {
  const { db, clock, mail, config } = deps
  // The queue runs one job at a time, so the job that was sending them is gone.
  await markInterrupted(db, clock.now())
  await skipUnwanted(db, clock.now())
  while (!signal.aborted) {
    const handed = await db.transaction().execute((trx) => handToWebhooks(trx, clock.now(), WEBHOOK_BATCH))
    if (handed < WEBHOOK_BATCH) break
  }
  const due = await findDueMails(db, clock.now(), BATCH)
  if (due.length === 0) return
  if ((await mail.host()) === null) return skipMails(db, clock.now())
  try {
    await mail.check()
  } catch (error) {
    deps.log.warn(
      { outcome: explainFailure(error).outcome },
      'Mails about notifications wait for the mail server.',
    )
    return
  }
  for (const mails of due) {
    if (signal.aborted) return
    const outcome = await sendDue(deps, mails)
    if (outcome === 'unreachable') return
    if (outcome === 'sent')
      await sleep(MINUTE_MS / config.ATRIUM_LIMIT_MAILS_A_MINUTE, undefined, { signal }).catch(
        () => undefined,
      )
  }
  if (due.length === BATCH) await deps.jobs.add(SEND, {}, { queue: SEND })
}

/** Sends one mail when its time has come, or lets it wait. */
async function sendDue(deps: Platform, mails: DueMails): Promise<'sent' | 'waits' | 'unreachable'> {
  const { db, clock } = deps
  const { user_id: userId, oldest, deadline, last_sent: lastSent } = mails
  const now = clock.now()
  const settings = await findSettings(db, userId)
  const situation = { now, oldest, lastSent, deadline, isPresent: await isPresent(db, userId, now) }
  const time = mailTime(settings, situation)
  const kind = settings.digest_at === null ? mails.kind : null
  if (time > now) {
    await postpone(db, { userId, kind: mails.kind }, time)
    return 'waits'
  }
  const mailId = randomUUID()
  const ids = await claimMails(db, { userId, kind, mailId, now, limit: MAX_COMBINED })
  if (ids.length === 0) return 'waits'
  return sendClaimed(deps, { mails, settings, mailId, ids })
}

type Claimed = { mails: DueMails; settings: StoredSettings; mailId: string; ids: string[] }

/** Sends a claimed mail and stores the outcome. */
async function sendClaimed(deps: Platform, claimed: Claimed): Promise<'sent' | 'waits' | 'unreachable'> {
  const { db, clock, mail } = deps
  const { mailId } = claimed
  const composed = await compose(deps, claimed)
  if (!composed) {
    await settleMail(db, mailId, { state: 'skipped', now: clock.now() })
    return 'waits'
  }
  try {
    await mail.send(composed)
  } catch (error) {
    const now = clock.now()
    const fate = fateOf(error)
    const tries = claimed.mails.tries + 1
    const state =
      fate === 'unsent'
        ? 'waiting'
        : fate === 'unknown'
          ? 'unknown'
          : fate === 'later' && tries < MAX_TRIES
            ? 'waiting'
            : 'failed'
    const wait = fate === 'unsent' ? RETRY_MS : fate === 'later' ? tries * LATER_MS : 0
    const due = new Date(now.getTime() + wait)
    await settleMail(db, mailId, { state, said: explainFailure(error).said, due, now })
    return fate === 'unsent' || fate === 'unknown' ? 'unreachable' : 'sent'
  }
  await settleMail(db, mailId, { state: 'sent', now: clock.now() })
  return 'sent'
}

/** Returns the mail; null when the person may read none of its notifications any more. */
async function compose(deps: Platform, { mails, settings, ids }: Claimed) {
  const { db, clock, secrets } = deps
  const user = await readUser(deps, mails.user_id)
  const person = { ...user, kind: 'user' as const }
  const items = await findQuotable(db, person, { ids, now: clock.now(), french: user.language === 'fr' })
  if (items.length === 0) return null
  const isDigest = settings.digest_at !== null
  const kind = isDigest ? ('digest' as const) : mails.kind
  const home = deps.publicUrl()
  const token = encodeURIComponent(sealUnsubscription(secrets, { userId: user.id, kind }))
  const look = await findMailLook(db, { userId: user.id })
  const composed = composeNotifications({
    ...{ to: user.email, language: user.language, items, isDigest, home, product: look?.name ?? null },
    showsContent: settings.shows_content || settings.company_shows_content,
    answerPage: (waiting) => {
      const until = endOfAnswering(clock.now(), waiting.deadline)
      const sealed = encodeURIComponent(sealAnswer(secrets, waiting, user, until))
      return `${home}/login/answer?lang=${user.language}&token=${sealed}`
    },
    stopPage: `${home}/login/stop-mails?token=${token}`,
    oneClick: `${home}${API_BASE}/notification-mails/unsubscribe?token=${token}`,
  })
  return wearLook(look, composed)
}
