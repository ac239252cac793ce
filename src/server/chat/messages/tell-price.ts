import type { StatedPrice } from '#shared/chat/run-prices/run-prices.ts'
import { findAllowed } from '../../platform/access/access.ts'
import type { Caller } from '../../platform/http/serve.ts'
import type { Deps } from '../../tools/deps.ts'
import { findAskedAbove, priceOfReading, statePrice } from '../run-prices/run-prices.ts'
import { planReply, type ReplyWish } from './start-reply.ts'
import { findMessage } from './store.ts'

type Wish = Pick<ReplyWish, 'model_name' | 'tool_choice'> & { bytes: number; after?: string | undefined }

/** Returns the price estimate of a message's reply; see `statePrice`. @throws AppError like sending it */
export async function tellPrice(
  deps: Deps,
  user: Caller,
  sessionId: string,
  { bytes, after, ...wish }: Wish,
): Promise<{ price: StatedPrice | null; asks_above: number | null }> {
  const { db, models } = deps
  const session = await findAllowed(db, user, 'write session', sessionId)
  if (after !== undefined) await findMessage(db, sessionId, after)
  const plan = await planReply(deps, user, session, wish)
  const reading = await priceOfReading(models, plan.model_name)
  const leaf = after ?? session.active_leaf
  const told = reading === null ? null : await statePrice(db, plan, { reading, after: leaf, bytes })
  return { price: told?.stated ?? null, asks_above: await findAskedAbove(db) }
}
