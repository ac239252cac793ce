import { pushTime } from '#shared/lifecycle/notifications/mail-time.ts'
import { readUser } from '../../../identity/accounts/accounts.ts'
import type { Platform } from '../../../platform/platform.ts'
import { findQuotable } from '../notification-store.ts'
import { isPresent } from '../presence-store.ts'
import { cut, titleOf } from '../sending/notification-title.ts'
import { findSettings, type StoredSettings } from '../settings-store.ts'
import { createPoster, type PushMessage, type PushOutcome } from './post-push.ts'
import {
  claimPushes,
  type DuePush,
  findSubscriptions,
  noteReached,
  postponePush,
  removeSubscription,
  settlePush,
} from './push-store.ts'

export const SEND_PUSHES = 'send-pushes'

/** Pushes claimed together. */
const BATCH = 50
/** Time in which a claimed batch is sent. */
const LEASE_MS = 5 * 60_000
/** Wait after the first failure; it doubles with each further one. */
const RETRY_MS = 60_000
const MAX_TRIES = 6

type Post = Awaited<ReturnType<typeof createPoster>>

/** Sends the due notifications to the browsers of their people. */
export async function sendPushes(deps: Platform, signal: AbortSignal): Promise<void> {
  const { db, clock } = deps
  let post: Post | null = null
  while (!signal.aborted) {
    const now = clock.now()
    const due = await claimPushes(db, { now, lease: new Date(now.getTime() + LEASE_MS), limit: BATCH })
    if (due.length === 0) return
    post ??= await createPoster(deps)
    for (const push of due) await sendPush(deps, post, push, signal)
  }
}

async function sendPush(deps: Platform, post: Post, push: DuePush, signal: AbortSignal): Promise<void> {
  const { db, clock } = deps
  const now = clock.now()
  const skip = () => settlePush(db, push.notification_id, { state: 'skipped', said: null, due: now, now })
  const settings = await findSettings(db, push.user_id)
  const user = await readUser(deps, push.user_id)
  const [notification] = await findQuotable(
    db,
    { ...user, kind: 'user' as const },
    { ids: [push.notification_id], now, french: user.language === 'fr' },
  )
  if (!notification || notification.read_at !== null || !settings.switches[notification.kind].push)
    return skip()
  const time = pushTime(settings, {
    ...{ now, deadline: push.deadline, isPresent: await isPresent(db, push.user_id, now) },
  })
  if (time > now) return postponePush(db, push.notification_id, time)
  const all = await findSubscriptions(db, push.user_id, now)
  if (all.length === 0) return skip()
  const message = messageOf(notification, settings, user.language)
  const outcomes: PushOutcome[] = []
  for (const subscription of all.filter(({ id }) => !push.reached.includes(id))) {
    const outcome = await post(subscription, message, signal)
    if (outcome.fate === 'sent') await noteReached(db, push.notification_id, subscription.id)
    if (outcome.fate === 'gone') await removeSubscription(db, push.user_id, subscription.id)
    outcomes.push(outcome)
  }
  await settle(deps, push, outcomes)
}

async function settle({ db, clock }: Platform, push: DuePush, outcomes: PushOutcome[]): Promise<void> {
  const now = clock.now()
  const failures = outcomes.flatMap((outcome) => ('said' in outcome ? [outcome] : []))
  const later = failures.filter(({ fate }) => fate === 'later')
  const said = failures[0]?.said ?? null
  const hasReached = push.reached.length > 0 || outcomes.some(({ fate }) => fate === 'sent')
  if (later.length === 0 || push.tries >= MAX_TRIES) {
    const state = hasReached ? 'sent' : failures.length > 0 ? 'failed' : 'skipped'
    return settlePush(db, push.notification_id, { state, said, due: now, now })
  }
  const asked = Math.max(...later.map(({ afterMs }) => afterMs ?? 0))
  const due = new Date(now.getTime() + Math.max(asked, RETRY_MS * 2 ** (push.tries - 1)))
  await settlePush(db, push.notification_id, { state: 'waiting', said, due, now })
}

type Quoted = Parameters<typeof titleOf>[0]

function messageOf(notification: Quoted, settings: StoredSettings, language: 'en' | 'fr'): PushMessage {
  const showsContent = settings.shows_content || settings.company_shows_content
  return {
    tag: notification.id,
    title: titleOf(notification, language),
    body: showsContent && notification.content ? cut(notification.content) : '',
    path: notification.path,
  }
}
