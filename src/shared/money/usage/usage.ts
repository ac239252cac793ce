import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id, Language, queryInt } from '../../platform/primitives.ts'

/** What usage is summed by. Only groups may add up to more than all: who was in several counts in each. */
export const UsageBy = z.enum(['user', 'company', 'group', 'model', 'tool', 'assistant'])
export type UsageBy = z.infer<typeof UsageBy>

/** Dollars above 0, tokens of both directions, and paid or free calls of models. */
const sums = { amount: z.number(), tokens: z.number(), calls: z.int() }

/** The models that have a line of their own in the days; the rest of a day is the difference. */
export const MODELS_SHOWN = 5
/** The longest stretch of days that is asked for at once. */
export const DAYS_MOST = 366
export const USAGE_LIMIT = 50

/** Days of UTC, both included, and of which company; without one, of all the caller administers. */
const span = { from: z.iso.date(), to: z.iso.date(), company_id: z.optional(Id) }

export const UsageDay = z.object({
  /** As `2026-11-24`. */
  day: z.string(),
  ...sums,
  models: z.array(z.object({ model_name: z.string(), ...sums })),
})
export type UsageDay = z.infer<typeof UsageDay>

/** What one person, company, group, model, tool or assistant used. */
export const UsageShare = z.object({
  /** Its id; null for what was used without one. */
  id: z.nullable(z.string()),
  /** As it is called today; null when it is gone, or known by its id alone. */
  name: z.nullable(z.string()),
  /** Of a person or a group: the company it was used for. */
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
    /** Dollars of as many days before. */
    before: z.number(),
    /** Replies a price was stated for before they began, and how many of them cost what it said. */
    prices: z.object({ stated: z.int(), inside: z.int() }),
    /** The models the days name, the most expensive first. */
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
