import * as z from 'zod/mini'

export const notificationKinds = [
  'question_waiting',
  'reply_finished',
  'reply_failed',
  'reply_unsent',
  'document_ready',
  'document_failed',
  'budget_warning',
  'budget_spent',
  'mentioned',
  'schedule_failed',
  'schedule_changed',
  'schedule_stopped',
  'reminder',
  'deputy_asked',
  'schedule_offered',
  'connector_asks',
  'connector_signed_out',
  'item_shared',
  'announcement',
] as const
export const NotificationKind = z.enum(notificationKinds)
export type NotificationKind = z.infer<typeof NotificationKind>

/** `in_app` is the list behind the bell, `push` the browsers that a person lets notify them. */
export const notificationChannels = ['in_app', 'push', 'mail', 'webhook'] as const
export const NotificationChannel = z.enum(notificationChannels)
export type NotificationChannel = z.infer<typeof NotificationChannel>
