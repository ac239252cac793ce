import * as z from 'zod/mini'
import { route } from '../http.ts'
import { Id, queryInt, trimmed } from '../primitives.ts'

/** The most a balance may be brought to, in dollars: up to there a number shows it to its ninth decimal. */
export const MAX_BALANCE = 1_000_000

/** One line of the money ledger. `amount` is in dollars, negative when something was used. */
export const LedgerEntry = z.object({
  id: Id,
  amount: z.number(),
  kind: z.enum(['start', 'top_up', 'usage', 'absorbed', 'correction']),
  reason: z.string(),
  model_name: z.nullable(z.string()),
  session_id: z.nullable(Id),
  session_title: z.nullable(z.string()),
  input_tokens: z.nullable(z.int()),
  output_tokens: z.nullable(z.int()),
  /** True when no price is known: the amount is 0 and means nothing. */
  unpriced: z.boolean(),
  /** True when the provider gave no usage and the tokens were counted here. */
  estimated: z.boolean(),
  created_at: z.string(),
})
export type LedgerEntry = z.infer<typeof LedgerEntry>

export const getBilling = route({
  method: 'GET',
  path: '/users/me/billing',
  access: 'user',
  summary: 'Balance and usage, newest first',
  query: z.object({
    page: queryInt({ min: 1, max: 100_000, fallback: 1 }),
    limit: queryInt({ min: 1, max: 200, fallback: 50 }),
  }),
  answer: z.object({
    enabled: z.boolean(),
    balance: z.nullable(z.number()),
    items: z.array(LedgerEntry),
    total: z.int(),
    page: z.int(),
    has_more: z.boolean(),
    /** Tokens and dollars since the first of this month, UTC. */
    this_month: z.object({
      amount: z.number(),
      input_tokens: z.int(),
      output_tokens: z.int(),
      calls: z.int(),
    }),
  }),
})

export const topUp = route({
  method: 'POST',
  path: '/admin/users/:userId/top-up',
  access: 'super_admin',
  may: 'manage user',
  summary: "Book money onto a user's balance",
  params: z.object({ userId: Id }),
  body: z.object({
    /** Negative puts something right. The ledger counts billionths. */
    amount: z.number().check(
      z.gte(-100_000),
      z.lte(100_000),
      z.refine((amount) => Math.abs(amount) >= 1e-9, 'Give an amount other than 0.'),
    ),
    reason: z._default(trimmed(0, 200), ''),
  }),
  answer: z.object({ balance: z.number() }),
})
