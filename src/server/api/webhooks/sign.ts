import { createHmac, randomBytes } from 'node:crypto'
import { SECRET_PREFIX } from '#shared/api/webhooks/webhooks.ts'

const KEY_BYTES = 32

/** Returns a new secret in the receiver's format. */
export function newWebhookSecret(): string {
  return SECRET_PREFIX + randomBytes(KEY_BYTES).toString('base64')
}

/**
 * Returns the headers by which a receiver verifies a message (Standard Webhooks 1.0): HMAC-SHA-256 over id, time and body, with
 * each valid secret.
 */
export function signMessage(
  { id, at, body }: { id: string; at: Date; body: string },
  secrets: readonly string[],
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return {
    ...{ 'webhook-id': id, 'webhook-timestamp': timestamp },
    'webhook-signature': signatures.join(' '),
  }
}
