import * as z from 'zod/mini'
import { MAX_MODEL_NAME } from '../../models/connections/model-name.ts'
import { route } from '../../platform/http.ts'
import { Id, queryInt, text } from '../../platform/primitives.ts'
import { MESSAGE_MAX_BYTES } from '../messages/messages.ts'

/** Minimum number of finished replies for a stated price. */
export const MIN_RUNS = 8

/** Likely price range of a reply in dollars (95 % of replies lay within), and the number of replies it is based on. */
export const StatedPrice = z.object({ low: z.number(), high: z.number(), runs: z.int() })
export type StatedPrice = z.infer<typeof StatedPrice>

/** Highest threshold that can be set for a price question, in dollars. */
export const MAX_ASKED_ABOVE = 10_000
/** Dollars; null: never ask. */
const Above = z.nullable(z.number().check(z.gte(0), z.lte(MAX_ASKED_ABOVE)))

/** Returns true when the person must confirm the price before a reply begins. */
export function isAskedFor(price: StatedPrice | null, above: number | null): price is StatedPrice {
  return price !== null && above !== null && price.high > above
}

export const getReplyPrice = route({
  method: 'GET',
  path: '/sessions/:sessionId/price',
  access: 'user',
  scope: 'chats',
  may: 'write session',
  fails: ['not_available', 'provider_failed', 'insufficient_balance', 'quota_exceeded'],
  summary:
    'What the reply to a message will probably cost, from finished replies like it on this installation; nothing begins, and nobody is asked',
  params: z.object({ sessionId: Id }),
  query: z.object({
    /** Size of the message in bytes of UTF-8; 0 for a stored message. */
    bytes: queryInt({ min: 0, max: MESSAGE_MAX_BYTES, fallback: 0 }),
    /** Message that it follows or answers; default: the end of the active branch. */
    after: z.optional(Id),
    /** As in the call that sends the message. */
    model_name: z.optional(text(0, MAX_MODEL_NAME)),
    tool_choice: z.optional(text(0, 100)),
  }),
  answer: z.object({
    /** Null while there are too few similar replies, or when the model has no price. */
    price: z.nullable(StatedPrice),
    /** The interface asks for confirmation when `high` exceeds this amount in dollars; null: it never asks. */
    asks_above: z.nullable(z.number()),
  }),
})

const Question = z.object({ above: Above })

export const getPriceQuestion = route({
  method: 'GET',
  path: '/admin/price-question',
  access: 'super_admin',
  summary: 'From which price on people are asked before a reply begins, in dollars; null: nobody is asked',
  answer: Question,
})

export const setPriceQuestion = route({
  method: 'PUT',
  path: '/admin/price-question',
  access: 'super_admin',
  summary: 'Decide from which price on people are asked before a reply begins',
  body: Question,
  answer: Question,
})
