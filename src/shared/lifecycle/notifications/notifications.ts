import * as z from 'zod/mini'
import { BudgetMark } from '../../money/budgets/budget-kinds.ts'
import { route } from '../../platform/http.ts'
import { Id, queryInt, TimeZone } from '../../platform/primitives.ts'
import { NotificationChannel, NotificationKind } from './kinds.ts'

/** Days that notifications are stored. */
export const NOTIFICATION_DAYS = 90
/** Interval in which a browser in use reports itself, in milliseconds. It counts as in use for a minute. */
export const PRESENCE_MS = 30_000

/** Something that happened to a person's things. Names are the current ones. */
export const Notification = z.object({
  id: Id,
  kind: NotificationKind,
  /** Name of the chat, document, budget or shared item; null without one. */
  name: z.nullable(z.string()),
  /** Person who shared the item. */
  by: z.nullable(z.string()),
  /** Text of an announcement, or why a schedule was stopped. */
  text: z.nullable(z.string()),
  item: z.nullable(z.enum(['assistant', 'prompt', 'tool_set'])),
  budget: z.nullable(z.object({ ...BudgetMark.shape, amount: z.number(), spent: z.number() })),
  /** Deadline of a waiting question. */
  deadline: z.nullable(z.string()),
  /** Address inside the product, or the link of an announcement. */
  path: z.string(),
  created_at: z.string(),
  read_at: z.nullable(z.string()),
})
export type Notification = z.infer<typeof Notification>

export const listNotifications = route({
  method: 'GET',
  path: '/notifications',
  access: 'user',
  summary: 'What happened to the caller’s things in the last 90 days, the newest first',
  query: z.object({
    page: queryInt({ min: 1, max: 100_000, fallback: 1 }),
    limit: queryInt({ min: 1, max: 100, fallback: 30 }),
  }),
  answer: z.object({
    items: z.array(Notification),
    /** Unread notifications on all pages. */
    unread: z.int(),
    has_more: z.boolean(),
  }),
})

/** Maximum notifications marked with one call. */
export const MAX_READ = 200

export const readNotifications = route({
  method: 'PUT',
  path: '/notifications/read',
  access: 'user',
  summary:
    'Mark notifications of the caller as read: the named ones, or all up to a time. Ids of others change nothing',
  body: z.union([
    z.object({ ids: z.array(Id).check(z.minLength(1), z.maxLength(MAX_READ)) }),
    z.object({ until: z.iso.datetime({ offset: true }) }),
  ]),
  answer: z.object({ unread: z.int() }),
})

/** Minutes after midnight. */
const Minute = z.int().check(z.gte(0), z.lte(1439))
const Switches = z.record(NotificationKind, z.record(NotificationChannel, z.boolean()))

export const NotificationSettings = z.object({
  /** Channels that report each kind. */
  switches: Switches,
  /** Hours in the person's time zone in which mails wait; null without. */
  quiet: z.nullable(z.object({ from: Minute, until: Minute })),
  quiet_weekends: z.boolean(),
  time_zone: TimeZone,
  /** Mails and webhooks wait while one of the person's browsers is in use. */
  only_away: z.boolean(),
  /** Time of the daily digest; null without a digest. */
  digest_at: z.nullable(Minute),
  /** Mails quote questions and replies. */
  shows_content: z.boolean(),
  /** A company of the person lets mails quote them. */
  company_shows_content: z.boolean(),
  /** The installation has a mail server. */
  can_mail: z.boolean(),
})
export type NotificationSettings = z.infer<typeof NotificationSettings>

export const getNotificationSettings = route({
  method: 'GET',
  path: '/notifications/settings',
  access: 'user',
  summary: 'How the caller is notified: kinds, channels, quiet hours and the daily mail',
  answer: NotificationSettings,
})

const Change = z.object({
  switches: z.optional(
    z
      .array(z.object({ kind: NotificationKind, channel: NotificationChannel, is_on: z.boolean() }))
      .check(z.maxLength(50)),
  ),
  quiet: z.optional(NotificationSettings.shape.quiet),
  quiet_weekends: z.optional(z.boolean()),
  time_zone: z.optional(TimeZone),
  only_away: z.optional(z.boolean()),
  digest_at: z.optional(NotificationSettings.shape.digest_at),
  shows_content: z.optional(z.boolean()),
})
export type NotificationSettingsChange = z.infer<typeof Change>

export const changeNotificationSettings = route({
  method: 'PATCH',
  path: '/notifications/settings',
  access: 'user',
  summary: 'Change how the caller is notified. Absent fields stay',
  body: Change,
  answer: NotificationSettings,
})

export const reportPresence = route({
  method: 'PUT',
  path: '/notifications/presence',
  access: 'user',
  summary: 'Report that a browser of the caller is in use, or no longer',
  body: z.object({ browser_id: Id, is_present: z.boolean() }),
  status: 204,
})
