import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id, Language, queryInt } from '../../platform/primitives.ts'

/** Grouping of usage. Groups may add up to more than the total, because a person can belong to several. */
export const UsageBy = z.enum(['user', 'company', 'group', 'model', 'tool', 'assistant'])
export type UsageBy = z.infer<typeof UsageBy>

/** Dollars above 0, input and output tokens, and paid or free model calls. */
const sums = { amount: z.number(), tokens: z.number(), calls: z.int() }

/** Number of models shown separately per day; the rest of a day is the difference to its total. */
export const MODELS_SHOWN = 5
/** Maximum number of days per query. */
export const DAYS_MOST = 366
export const USAGE_LIMIT = 50

/** UTC days, both inclusive, a company and a person; default: everybody in all companies the caller administers. */
const span = {
  from: z.iso.date(),
  to: z.iso.date(),
  company_id: z.optional(Id),
  user_id: z.optional(Id),
}

export const UsageDay = z.object({
  /** Such as `2026-11-24`. */
  day: z.string(),
  ...sums,
  models: z.array(z.object({ model_name: z.string(), ...sums })),
})
export type UsageDay = z.infer<typeof UsageDay>

/** Usage of one person, company, group, model, tool or assistant. */
export const UsageShare = z.object({
  /** Id of the item; null for usage without one. */
  id: z.nullable(z.string()),
  /** Current name; null when it was deleted or has only an id. */
  name: z.nullable(z.string()),
  /** For a person or a group: the company of the usage. */
  company: z.nullable(z.string()),
  ...sums,
})
export type UsageShare = z.infer<typeof UsageShare>

export const getHouseUsage = route({
  method: 'GET',
  path: '/admin/usage',
  access: 'admin',
  summary:
    'What was used by day (UTC) and model in the companies the caller administers, in all for a super admin; days without use are left out',
  fails: ['forbidden', 'invalid'],
  query: z.object(span),
  answer: z.object({
    sum: z.object({ ...sums, people: z.int() }),
    /** Dollars of the previous period of the same length. */
    before: z.number(),
    /** Number of replies with a stated price, and how many of them cost what was stated. */
    prices: z.object({ stated: z.int(), inside: z.int() }),
    /** Models that the days list, the most expensive first. */
    models: z.array(z.string()),
    days: z.array(UsageDay),
  }),
})

export const listHouseUsage = route({
  method: 'GET',
  path: '/admin/usage/shares',
  access: 'admin',
  summary:
    'The same by person, company, group, model, tool or assistant, the most expensive first; who was in several groups counts in each',
  fails: ['forbidden', 'invalid'],
  query: z.object({
    ...span,
    by: UsageBy,
    page: queryInt({ min: 1, max: 100_000, fallback: 1 }),
    limit: queryInt({ min: 1, max: 100, fallback: USAGE_LIMIT }),
  }),
  answer: z.object({ items: z.array(UsageShare), total: z.int(), has_more: z.boolean() }),
})

export const exportHouseUsage = route({
  method: 'GET',
  path: '/admin/usage/export',
  access: 'admin',
  sends: 'text/csv',
  summary: 'The same as a CSV file: a line for each day, person, company, groups, model, assistant and tool',
  fails: ['forbidden', 'invalid'],
  query: z.object({ ...span, language: z._default(Language, 'en') }),
})
