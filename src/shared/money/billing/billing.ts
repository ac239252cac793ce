import * as z from 'zod/mini'
import { MAX_MODEL_NAME } from '../../models/connections/model-name.ts'
import { route } from '../../platform/http.ts'
import { Id, Language, queryInt, TimeZone, text, trimmed } from '../../platform/primitives.ts'

/** Maximum balance in dollars. Up to this value, a number is exact to nine decimals. */
export const MAX_BALANCE = 1_000_000

/** One entry of the ledger. `amount` is in dollars, negative for usage. */
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
  /** True when the price is unknown; the amount is then 0. */
  unpriced: z.boolean(),
  /** True when tokens were estimated because the provider gave no usage. */
  estimated: z.boolean(),
  /** Balance after the entry, in dollars. */
  balance: z.number(),
  created_at: z.string(),
})
export type LedgerEntry = z.infer<typeof LedgerEntry>

const Instant = z.iso.datetime({ offset: true })
/** Filter of entries: `to` is exclusive; `money` selects all manual bookings. */
const filter = {
  from: z.optional(Instant),
  to: z.optional(Instant),
  kind: z.optional(z.enum(['usage', 'money'])),
  model: z.optional(text(1, MAX_MODEL_NAME)),
}

export const getBilling = route({
  method: 'GET',
  path: '/users/me/billing',
  access: 'user',
  scope: 'usage',
  summary: 'Balance and usage, newest first',
  query: z.object({
    page: queryInt({ min: 1, max: 100_000, fallback: 1 }),
    limit: queryInt({ min: 1, max: 200, fallback: 50 }),
    ...filter,
  }),
  answer: z.object({
    enabled: z.boolean(),
    balance: z.nullable(z.number()),
    items: z.array(LedgerEntry),
    /** Number of entries that match the filter. */
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

const sums = { amount: z.number(), tokens: z.number(), calls: z.int() }

/** Usage of a day or a month, in dollars above 0. `start` is its first day, such as `2026-11-01`. */
export const UsageStep = z.object({ start: z.string(), ...sums })
export type UsageStep = z.infer<typeof UsageStep>
export const UsageModel = z.object({ model_name: z.nullable(z.string()), ...sums })
export type UsageModel = z.infer<typeof UsageModel>

export const getUsage = route({
  method: 'GET',
  path: '/users/me/billing/usage',
  access: 'user',
  scope: 'usage',
  summary: 'What was used by day or month and by model; days without use are left out',
  query: z.object({
    ...{ from: filter.from, to: filter.to, model: filter.model },
    step: z._default(z.enum(['day', 'month']), 'day'),
    time_zone: z._default(TimeZone, 'UTC'),
  }),
  /** `models` always covers all models of the period, even with a filter on one model. */
  answer: z.object({ steps: z.array(UsageStep), models: z.array(UsageModel) }),
})

/** Returns usage as a CSV file in UTF-8, with the separators of a language. */
export const exportUsage = route({
  method: 'GET',
  path: '/users/me/billing/export',
  access: 'user',
  sends: 'text/csv',
  scope: 'usage',
  summary: 'The ledger of the caller as CSV, newest first',
  query: z.object({
    ...filter,
    time_zone: z._default(TimeZone, 'UTC'),
    language: z._default(Language, 'en'),
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
    /** A negative amount is a correction. The ledger counts in billionths of a dollar. */
    amount: z.number().check(
      z.gte(-100_000),
      z.lte(100_000),
      z.refine((amount) => Math.abs(amount) >= 1e-9, 'Give an amount other than 0.'),
    ),
    reason: z._default(trimmed(0, 200), ''),
  }),
  answer: z.object({ balance: z.number() }),
})
