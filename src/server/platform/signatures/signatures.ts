import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { SECRET_PREFIX } from '#shared/platform/webhook-secret.ts'

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
  { id, at, body }: { id: string; at: Date; body: string | Buffer },
  secrets: readonly string[],
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const signed = { id, timestamp, bytes: typeof body === 'string' ? Buffer.from(body) : body }
  const signatures = secrets.map((secret) => `v1,${digestOf(signed, secret).toString('base64')}`)
  return {
    ...{ 'webhook-id': id, 'webhook-timestamp': timestamp },
    'webhook-signature': signatures.join(' '),
  }
}

type Signed = { id: string; timestamp: string; bytes: Buffer }
/** Signatures of one header that are compared. During a rotation there are two. */
const MAX_SIGNATURES = 10

/** Returns the index of the secret that signed a message (Standard Webhooks 1.0); -1 when none did. */
export function findSigner(message: Signed & { signature: string }, secrets: readonly string[]): number {
  const given = message.signature
    .split(' ', MAX_SIGNATURES)
    .filter((part) => part.startsWith('v1,'))
    .map((part) => Buffer.from(part.slice('v1,'.length), 'base64'))
  return secrets.findIndex((secret) => {
    const wanted = digestOf(message, secret)
    return given.some((one) => one.length === wanted.length && timingSafeEqual(one, wanted))
  })
}

function digestOf({ id, timestamp, bytes }: Signed, secret: string): Buffer {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
  return createHmac('sha256', key).update(`${id}.${timestamp}.`).update(bytes).digest()
}
