import { GIVE_UP_DAYS, MAX_ERROR_CHARACTERS, type WebhookMessage } from '#shared/api/webhooks/webhooks.ts'
import { AppError } from '#shared/platform/errors.ts'
import type { Platform } from '../../platform/platform.ts'
import { signMessage } from '../../platform/signatures/signatures.ts'
import { type Attempt, claimDelivery, type Due, noteAttempt } from './delivery-store.ts'
import { nextAttempt } from './pauses.ts'
import { changeWebhook } from './store.ts'

export const DELIVER = 'webhooks.deliver'
export const jobKey = (id: string) => `webhook:${id}`

/** Timeout of a receiver in seconds, and maximum bytes read of its response. */
const SECONDS = 15
const ANSWER_BYTES = 64 * 1024
/** Status by which a receiver says that it is permanently gone. */
const GONE = 410

type Deps = Pick<Platform, 'grants' | 'db' | 'clock' | 'outbound' | 'secrets' | 'config' | 'jobs'>

/** Schedules a delivery job; repeated calls share one. */
export async function sendSoon({ jobs }: Pick<Deps, 'jobs'>, id: string, runAt?: Date): Promise<void> {
  // Webhooks have longer retry pauses than jobs.
  await jobs.add(DELIVER, { id }, { key: jobKey(id), maxAttempts: 3, ...(runAt && { runAt }) })
}

/** Sends a due delivery, stores the result and schedules a retry on failure. */
export async function deliver(deps: Deps, id: string, signal: AbortSignal): Promise<void> {
  const { db, clock } = deps
  const due = await claimDelivery(db, id, clock.now())
  if (!due) return
  const { user_id } = due.webhook
  // A company's webhook depends on no user's grant.
  const isOpen = user_id === null || !(await deps.grants.closedTo(user_id)).has('feature', 'webhooks')
  if (!due.webhook.is_on || !isOpen) {
    const error = isOpen ? 'The webhook is turned off.' : 'Webhooks are not open to whoever made this one.'
    const attempt = { at: clock.now(), ms: 0, status: null, error }
    return noteAttempt(db, id, attempt, { state: 'failed', next_at: null })
  }
  const attempt = await send(deps, due, signal)
  const now = clock.now()
  const hasArrived = attempt.status !== null && attempt.status >= 200 && attempt.status < 300
  const next_at = hasArrived || attempt.status === GONE ? null : nextAttempt(due.tries, now)
  const state = hasArrived ? 'arrived' : next_at ? 'waiting' : 'failed'
  await noteAttempt(db, id, attempt, { state, next_at })
  await changeWebhook(db, due.webhook.id, afterAttempt(due.webhook, hasArrived, attempt, now))
  if (next_at) await sendSoon(deps, id, next_at)
}

async function send(
  { clock, outbound, secrets, config }: Deps,
  due: Due,
  signal: AbortSignal,
): Promise<Attempt> {
  const at = clock.now()
  const message: WebhookMessage = {
    ...{ type: due.type as WebhookMessage['type'], timestamp: due.created_at.toISOString(), data: due.data },
  }
  const { url, secret, previous_secret, previous_until } = due.webhook
  const isKept = previous_secret !== null && previous_until !== null && previous_until > at
  const good = [secret, ...(isKept ? [previous_secret] : [])].map(secrets.open)
  const body = JSON.stringify(message)
  const started = performance.now()
  const over = (status: number | null, error: string | null): Attempt => ({
    ...{
      at,
      ms: Math.round(performance.now() - started),
      status,
      error: error?.slice(0, MAX_ERROR_CHARACTERS) ?? null,
    },
  })
  try {
    const answer = await outbound.fetch(url, {
      ...{ method: 'POST', body, signal, seconds: SECONDS, maxBytes: ANSWER_BYTES, maxRedirects: 0 },
      headers: {
        'content-type': 'application/json',
        ...signMessage({ id: `msg_${due.id}`, at, body }, good),
      },
      trusted: config.ATRIUM_TOOLS_PRIVATE,
    })
    return over(answer.status, null)
  } catch (error) {
    // The process is stopping: another one sends it when the claim expires.
    if (signal.aborted) throw error
    return over(null, error instanceof AppError ? error.detail : 'It could not be sent.')
  }
}

function afterAttempt(
  { failing_since }: Due['webhook'],
  hasArrived: boolean,
  { status }: Attempt,
  now: Date,
) {
  if (hasArrived) return { failing_since: null }
  const since = failing_since ?? now
  const isLong = now.getTime() - since.getTime() >= GIVE_UP_DAYS * 86_400_000
  return { failing_since: since, ...((isLong || status === GONE) && { is_on: false, gave_up_at: now }) }
}
