import { AppError } from '#shared/platform/errors.ts'
import type { Platform } from '../../../platform/platform.ts'
import { type PushKeys, readPushKeys } from './push-keys.ts'
import type { Subscription } from './push-store.ts'

type Deps = Pick<Platform, 'db' | 'secrets' | 'outbound' | 'publicUrl' | 'config'>

/** The message that the service worker of a browser receives (src/service-worker/push.ts). */
export type PushMessage = {
  /** A later push with the same tag replaces an earlier one in the browser. */
  tag: string
  title: string
  body: string
  /** Address inside the product, or of a link. */
  path: string
}

/**
 * `gone`: the person or the browser withdrew the subscription. `later`: the push service could not take it now.
 * `refused`: it never will.
 */
export type PushOutcome =
  | { fate: 'sent' }
  | { fate: 'gone' }
  | { fate: 'later' | 'refused'; said: string; afterMs: number | null }

/** Seconds that a push service keeps a message for a browser that is not running. */
const TTL_SECONDS = 86_400
/** Timeout of a push service in seconds, and maximum bytes read of its answer. */
const SECONDS = 15
const ANSWER_BYTES = 16 * 1024
const MAX_SAID = 200
/** Subject of the keys where the installation has no https address. */
const NO_SUBJECT = 'mailto:atrium@localhost.invalid'

/** Returns a function that encrypts a message for one browser and posts it to its push service (RFC 8030, 8291, 8292). */
export async function createPoster(
  deps: Deps,
): Promise<(to: Subscription, message: PushMessage, signal: AbortSignal) => Promise<PushOutcome>> {
  const [{ default: webPush }, keys] = await Promise.all([import('web-push'), readPushKeys(deps)])
  return (to, message, signal) => post(deps, webPush, { keys, to, message, signal })
}

type Library = typeof import('web-push')
type Post = { keys: PushKeys; to: Subscription; message: PushMessage; signal: AbortSignal }

async function post(deps: Deps, webPush: Library, { keys, to, message, signal }: Post): Promise<PushOutcome> {
  const { outbound, config } = deps
  const home = deps.publicUrl()
  try {
    const { endpoint, headers, body } = webPush.generateRequestDetails(
      { endpoint: to.endpoint, keys: { p256dh: to.p256dh, auth: to.auth } },
      JSON.stringify(message),
      {
        vapidDetails: { subject: home.startsWith('https:') ? home : NO_SUBJECT, ...keys },
        ...{ TTL: TTL_SECONDS, urgency: 'high', topic: topicOf(message.tag), contentEncoding: 'aes128gcm' },
      },
    )
    const answer = await outbound.fetch(endpoint, {
      ...{ method: 'POST', body, signal, seconds: SECONDS, maxBytes: ANSWER_BYTES, maxRedirects: 0 },
      headers: headers as Record<string, string>,
      trusted: config.ATRIUM_TOOLS_PRIVATE,
    })
    if (answer.ok) return { fate: 'sent' }
    if (answer.status === 404 || answer.status === 410) return { fate: 'gone' }
    const said = `${answer.status} ${answer.text().slice(0, MAX_SAID)}`.trim()
    const isLater = answer.status === 429 || answer.status >= 500
    return { fate: isLater ? 'later' : 'refused', said, afterMs: waitOf(answer.headers) }
  } catch (error) {
    // The process is stopping: another one sends it after the lease.
    if (signal.aborted) throw error
    if (error instanceof AppError)
      return { fate: error.code === 'invalid' ? 'refused' : 'later', said: error.detail, afterMs: null }
    // Keys that are no point of the curve.
    return { fate: 'gone' }
  }
}

/** A push service keeps one message of a topic: at most 32 characters of base64url. */
const topicOf = (tag: string) => tag.replaceAll('-', '').slice(0, 32)

/** Returns the wait that a push service asks for in milliseconds, at most an hour; null without one. */
function waitOf(headers: Headers): number | null {
  const text = headers.get('retry-after')
  if (text === null) return null
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), 3_600_000) : null
}
