import type { Notification } from '#shared/lifecycle/notifications/notifications.ts'
import { formatDate, formatMoney, formatTime } from '../../platform/i18n/format.ts'
import type { TFunction } from '../../platform/i18n/i18n.ts'

export const groupNames = ['waiting', 'finished', 'attention', 'people'] as const
export type GroupName = (typeof groupNames)[number]

/** Returns the group in which a notification is shown. */
export function groupOf({ kind, read_at }: Notification): GroupName {
  switch (kind) {
    case 'question_waiting':
    case 'deputy_asked':
    case 'connector_asks':
      return read_at === null ? 'waiting' : 'finished'
    case 'reply_finished':
    case 'schedule_changed':
    case 'document_ready':
      return 'finished'
    case 'reminder':
    case 'schedule_failed':
    case 'schedule_stopped':
    case 'reply_failed':
    case 'reply_unsent':
    case 'document_failed':
    case 'connector_signed_out':
    case 'budget_warning':
    case 'budget_spent':
      return 'attention'
    case 'mentioned':
    case 'schedule_offered':
    case 'item_shared':
    case 'announcement':
      return 'people'
    default:
      return kind satisfies never
  }
}

/** Returns what happened, with the name of its place. */
export function titleOf(t: TFunction, { kind, name, by, text, budget }: Notification): string {
  if (kind === 'announcement' && text) return text
  const subject =
    budget?.kind === 'user' || budget?.kind === 'house' ? t(`notifications:subject.${budget.kind}`) : null
  return t(`notifications:title.${kind}`, {
    name: name ?? subject ?? t('notifications:unnamed'),
    by: by ?? t('notifications:somebody'),
  })
}

/** Returns the deadline, the amounts of a budget, or the kind of a shared item; null without any. */
export function detailOf(t: TFunction, { kind, text, deadline, budget, item }: Notification): string | null {
  if (kind === 'schedule_stopped' || kind === 'schedule_failed') return text
  if (deadline) {
    const time = formatDate(deadline, { dateStyle: 'medium', timeStyle: 'short' })
    return t('notifications:answer_by', { time })
  }
  if (budget) {
    const values = { spent: formatMoney(budget.spent), amount: formatMoney(budget.amount) }
    return t('notifications:spent_of', values)
  }
  return item && t(`notifications:item.${item}`)
}

/** Returns the time for a notification of today, otherwise its day. */
export function timeOf(created: string, now: Date): string {
  const isToday = new Date(created).toDateString() === now.toDateString()
  return isToday ? formatTime(created) : formatDate(created, { day: 'numeric', month: 'short' })
}
