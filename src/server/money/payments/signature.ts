import { createHmac, timingSafeEqual } from 'node:crypto'

/** Maximum age of a signed event in seconds, against replay. */
const TOLERANCE_S = 300

type Signed = { header: string; bytes: Buffer; secret: string; now: Date }

/**
 * Returns whether an event is signed by Stripe (docs.stripe.com/webhooks/signature): `t=` is the time, each `v1=` an HMAC-SHA256 of time and
 * body. One must match; during a key rotation there are two.
 */
export function isFromStripe({ header, bytes, secret, now }: Signed): boolean {
  const parts = header.split(',', 20).map((part) => part.trim())
  const time = parts.find((part) => part.startsWith('t='))?.slice(2) ?? ''
  if (!/^\d{1,12}$/.test(time)) return false
  if (Math.abs(now.getTime() / 1000 - Number(time)) > TOLERANCE_S) return false
  const wanted = createHmac('sha256', secret).update(`${time}.`).update(bytes).digest()
  return parts.some((part) => {
    if (!part.startsWith('v1=')) return false
    const given = Buffer.from(part.slice(3), 'hex')
    return given.length === wanted.length && timingSafeEqual(given, wanted)
  })
}
