import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id, queryInt } from '../../platform/primitives.ts'

/** Data with a retention period: chats, standalone tool runs, chat files, library documents and audit log entries. */
export const RetainedKind = z.enum(['chats', 'tool_runs', 'files', 'documents', 'audit'])
export type RetainedKind = z.infer<typeof RetainedKind>

/** Periods in days that the pages offer, each with a preview of what would be deleted. */
export const RETENTION_CHOICES = [1, 7, 30, 90, 180, 365, 730, 1825, 3650] as const
/** Minimum retention of the audit log, in days. */
export const MIN_AUDIT_DAYS = 365

/** Hour and minute in UTC of the daily deletion. */
export const RETENTION_AT = { hour: 4, minute: 10 }

const Days = z.int().check(z.gte(1), z.lte(3650))

export const RetentionRule = z.object({
  kind: RetainedKind,
  /** Retention period in days; null: until a person deletes it. */
  days: z.nullable(Days),
  /** True when the company has no rule of its own and follows the installation's. */
  follows_house: z.boolean(),
})
export type RetentionRule = z.infer<typeof RetentionRule>

/** A rule, and the amount of data older than it and than each choice, which the next deletion would remove. */
export const RetentionState = z.object({
  ...RetentionRule.shape,
  /** The installation's period, in days. */
  house_days: z.nullable(z.int()),
  /** Amount of data that each period would delete. */
  older: z.array(z.object({ days: z.int(), items: z.int(), bytes: z.int() })),
})
export type RetentionState = z.infer<typeof RetentionState>

const Rules = z.object({ rules: z.array(RetentionState), next_at: z.string() })
const Wish = z.object({ rules: z.array(RetentionRule).check(z.minLength(1), z.maxLength(5)) })
const Company = z.object({ companyId: Id })

export const getHouseRetention = route({
  method: 'GET',
  path: '/admin/retention',
  access: 'super_admin',
  summary: 'How long things are kept where no company decides, and what of them is how old',
  answer: Rules,
})

export const setHouseRetention = route({
  method: 'PUT',
  path: '/admin/retention',
  access: 'super_admin',
  summary:
    'Decide how long things are kept where no company decides; what is due is deleted from the next day on',
  body: Wish,
  answer: Rules,
})

export const getCompanyRetention = route({
  method: 'GET',
  path: '/admin/companies/:companyId/retention',
  access: 'admin',
  may: 'manage company',
  summary: 'How long things of the people of a company are kept, and what of them is how old',
  params: Company,
  answer: Rules,
})

export const setCompanyRetention = route({
  method: 'PUT',
  path: '/admin/companies/:companyId/retention',
  access: 'admin',
  may: 'manage company',
  summary: 'Decide how long things of the people of a company are kept, or follow the installation',
  params: Company,
  body: Wish,
  answer: Rules,
})

export const RetentionCount = z.object({
  kind: RetainedKind,
  /** Company of the data's owners; null for people without a company. */
  company: z.nullable(z.string()),
  items: z.int(),
  files: z.int(),
  file_bytes: z.int(),
})
export type RetentionCount = z.infer<typeof RetentionCount>

/** `deleting`; `failed`, to be retried; `vectors`: only the search files remain to be rewritten. */
export const RetentionRunState = z.enum(['deleting', 'failed', 'vectors', 'done'])
export type RetentionRunState = z.infer<typeof RetentionRunState>

export const RetentionRun = z.object({
  id: Id,
  began_at: z.string(),
  finished_at: z.nullable(z.string()),
  state: RetentionRunState,
  /** At most a thousand, the largest first. */
  counts: z.array(RetentionCount),
})
export type RetentionRun = z.infer<typeof RetentionRun>

export const RETENTION_RUNS_LIMIT = 20

export const listRetentionRuns = route({
  method: 'GET',
  path: '/admin/retention/runs',
  access: 'admin',
  summary: 'What was deleted when its time was over, newest first: of the companies the caller administers',
  query: z.object({
    page: queryInt({ min: 1, max: 100_000, fallback: 1 }),
    limit: queryInt({ min: 1, max: 100, fallback: RETENTION_RUNS_LIMIT }),
  }),
  answer: z.object({ items: z.array(RetentionRun), total: z.int(), has_more: z.boolean() }),
})
