import { Clock } from 'lucide-react'
import { formatDate, formatNumber, formatTime } from '../../platform/i18n/format.ts'
import { type TFunction, useTranslation } from '../../platform/i18n/i18n.ts'
import { type AskedItem, spanOf } from './inbox-groups.ts'

/** The deadline of a request, otherwise how long it has waited. */
export function InboxTime({ item, isUrgent = false }: { item: AskedItem; isUrgent?: boolean }) {
  const { t } = useTranslation('common')
  const { deadline, created_at } = item.request
  const now = new Date()
  const text = item.answered_at
    ? formatDate(item.answered_at, { dateStyle: 'medium', timeStyle: 'short' })
    : deadline
      ? dueText(t, deadline, now)
      : waitingText(t, created_at, now)
  return (
    <span
      className={`inline-flex items-center gap-1.5 text-12 whitespace-nowrap ${isUrgent ? 'font-medium text-warning' : 'text-ink-3'}`}
    >
      <Clock aria-hidden className="icon-12" />
      <span className="num">{text}</span>
    </span>
  )
}

function waitingText(t: TFunction, since: string, now: Date): string {
  const yesterday = new Date(now)
  yesterday.setDate(now.getDate() - 1)
  const isYesterday = new Date(since).toDateString() === yesterday.toDateString()
  if (isYesterday && spanOf(since, now).unit !== 'minute') return t('inbox.since_yesterday')
  return t('inbox.waiting_for', { span: writeSpan(since, now) })
}

function dueText(t: TFunction, deadline: string, now: Date): string {
  const isToday = new Date(deadline).toDateString() === now.toDateString()
  const time = isToday ? formatTime(deadline) : formatDate(deadline, { day: 'numeric', month: 'short' })
  if (Date.parse(deadline) <= now.getTime()) return t('inbox.overdue', { time })
  return t('inbox.due', { time, span: writeSpan(deadline, now) })
}

/** Formats a duration: `5 h`, `26 min`, `2 days`. */
export function writeSpan(from: string, now: Date): string {
  const { value, unit } = spanOf(from, now)
  return formatNumber(value, { style: 'unit', unit, unitDisplay: unit === 'day' ? 'long' : 'short' })
}
