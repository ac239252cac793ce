import { createHmac, timingSafeEqual } from 'node:crypto'
import { MAX_SIGNED_AGE_S } from '#shared/api/channels/channels.ts'
import { AppError } from '#shared/platform/errors.ts'

type Signed = { bytes: Buffer; timestamp: string; signature: string }

/**
 * Checks the signature of Slack over the raw body, and its age.
 * @throws AppError `wrong_credentials`
 */
export function assertFromSlack({ bytes, timestamp, signature }: Signed, secret: string, now: Date): void {
  const digest = createHmac('sha256', secret).update(`v0:${timestamp}:`).update(bytes).digest('hex')
  const wanted = Buffer.from(`v0=${digest}`)
  const given = Buffer.from(signature)
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted))
    throw new AppError('wrong_credentials', 'The signature does not fit. Check the signing secret.')
  const age = Math.abs(now.getTime() / 1000 - Number(timestamp))
  if (!/^\d{1,12}$/.test(timestamp) || age > MAX_SIGNED_AGE_S)
    throw new AppError('wrong_credentials', 'The timestamp is more than five minutes from now.')
}
