import type { Kysely } from 'kysely'
import { MAX_VISITOR_MESSAGE } from '#shared/chat/embeds/embeds.ts'
import { AppError } from '#shared/platform/errors.ts'
import type { Principal } from '../../platform/access/access.ts'
import type { Tables } from '../../platform/db/tables.ts'
import type { Clock } from '../../platform/platform.ts'
import { takeMessage } from './visit-store.ts'

/**
 * Counts a visitor's message in the transaction that stores it. Does nothing for other principals.
 * @throws AppError `too_large`, `rate_limited` until the next day (UTC)
 */
export async function countVisit(
  trx: Kysely<Tables>,
  clock: Clock,
  principal: Principal,
  content: string,
): Promise<void> {
  if (principal.kind !== 'visitor') return
  if (content.length > MAX_VISITOR_MESSAGE)
    throw new AppError('too_large', `A message here has at most ${MAX_VISITOR_MESSAGE} characters.`)
  const now = clock.now()
  if (await takeMessage(trx, principal.visitor.id, now)) return
  const tomorrow = new Date(now).setUTCHours(24, 0, 0, 0)
  const retryAfterSeconds = Math.ceil((tomorrow - now.getTime()) / 1000)
  throw new AppError('rate_limited', 'You have sent as many messages as are possible here in one day.', {
    retryAfterSeconds,
  })
}
