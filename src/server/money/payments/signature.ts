import { createHmac, timingSafeEqual } from 'node:crypto'

/** How old a signed message may be, in seconds: an old one may have been caught and sent again. */
const TOLERANCE_S = 300

type Signed = { header: string; bytes: Buffer; secret: string; now: Date }

/**
 * Whether a message is Stripe's (docs.stripe.com/webhooks/signature): `t=` has its time, each `v1=` an HMAC-SHA256 of time and body, of
 * which one must fit; while a secret is rolled there are two.
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
