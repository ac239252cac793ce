import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'

/** Conditions that an administrator should act on, most urgent first. */
export const AttentionKind = z.enum([
  'budgets_spent',
  'webhooks_off',
  'directories_refused',
  'retention_failed',
  'budgets_near',
  'webhooks_failing',
  'mcp_failing',
  'documents_failed',
  'companies_without_admin',
  'mail_untested',
  'admins_without_second_step',
  'keys_ending',
])
export type AttentionKind = z.infer<typeof AttentionKind>

/** Days before its end that a key is listed. */
export const KEY_ENDS_DAYS = 14
/** Days that a failed document is listed. */
export const DOCUMENT_DAYS = 7
/** Days of activity, today included. */
export const ACTIVITY_DAYS = 14
/** Names listed per condition; `count` has the total. */
export const NAMES_SHOWN = 3

export const Attention = z.object({
  kind: AttentionKind,
  count: z.int(),
  /** The first names, by name. Empty when the items have none to show. */
  names: z.array(z.string()),
})
export type Attention = z.infer<typeof Attention>

/** Activity of one UTC day. */
export const ActivityDay = z.object({
  /** Such as `2026-11-24`. */
  day: z.string(),
  people: z.int(),
  calls: z.int(),
  /** Dollars. */
  amount: z.number(),
})
export type ActivityDay = z.infer<typeof ActivityDay>

export const getOverview = route({
  method: 'GET',
  path: '/admin/overview',
  access: 'admin',
  summary:
    'What needs an administrator, and what was used, in the companies the caller administers, in all for a super admin',
  answer: z.object({
    attention: z.array(Attention),
    /** Every day of the period, the oldest first. */
    days: z.array(ActivityDay),
    /** All active accounts. */
    people: z.int(),
    /** Chats that wait for a person's answer. */
    waiting: z.int(),
    /** Dollars spent this calendar month (UTC). */
    month: z.number(),
    /** Dollars of the month's budget: of the installation, or of the only company; null without one. */
    budget: z.nullable(z.number()),
    /** Version and start time of the process; null for company admins. */
    process: z.nullable(z.object({ version: z.string(), started_at: z.string() })),
  }),
})
