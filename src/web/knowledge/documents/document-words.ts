import type { Document } from '#shared/knowledge/documents/documents.ts'
import { categoryOf } from '#shared/knowledge/documents/file-kinds.ts'
import { formatDate, formatNumber } from '../../platform/i18n/format.ts'
import type { TFunction } from '../../platform/i18n/i18n.ts'
import { timeLeft } from '../uploads/uploads.ts'

/** Returns the phase or state of a document in one word. */
export function stateText(t: TFunction, { status, current_phase, failure }: Document): string {
  if (status === 'in_progress' && current_phase) return t(`documents:phase.${current_phase}`)
  if (isCancelled({ status, failure })) return t('documents:status.cancelled')
  return t(`documents:status.${status}`)
}

/** Returns the processed pages, sheets or seconds, and the remaining time; empty while unknown. */
export function progressText(t: TFunction, { progress, status }: Document): string {
  if (!progress || status !== 'in_progress' || progress.total === 0) return ''
  const done = t('documents:progress', {
    done: formatNumber(progress.done),
    total: formatNumber(progress.total),
  })
  return progress.seconds_left === null ? done : `${done}, ${timeLeft(t, progress.seconds_left)}`
}

/** Returns whether a person stopped it, which is not a failure. */
export function isCancelled({ status, failure }: Pick<Document, 'status' | 'failure'>): boolean {
  return status === 'failed' && failure?.code === 'cancelled'
}

/** Returns why a document failed, in the person's language. */
export function failureText(t: TFunction, { failure, error_message }: Document): string {
  const known = failure
    ? t(`documents:failures.${failure.code}`, { defaultValue: '', ...failure.values })
    : ''
  return known || error_message || t('documents:failed_unknown')
}

/** Returns the amount of content: pages, slides, sheets, minutes; empty while unknown. */
export function contentText(
  t: TFunction,
  { duration, extension, doc_metadata: { pages } }: Document,
): string {
  if (duration !== null) return durationText(duration)
  if (pages === null) return ''
  return t(`documents:content.${contentUnit(extension)}`, { count: pages })
}

/** Returns when it was added: the time if today, otherwise the date. */
export function dateText({ created_at }: Pick<Document, 'created_at'>, now = new Date()): string {
  const date = new Date(created_at)
  if (date.toDateString() === now.toDateString())
    return formatDate(date, { hour: '2-digit', minute: '2-digit' })
  const isThisYear = date.getFullYear() === now.getFullYear()
  return formatDate(date, { day: 'numeric', month: 'short', ...(isThisYear ? {} : { year: 'numeric' }) })
}

function contentUnit(extension: string) {
  if (['xls', 'xlsx', 'ods', 'csv'].includes(extension)) return 'sheets'
  if (['ppt', 'pptx', 'odp'].includes(extension)) return 'slides'
  return categoryOf(extension) === 'mail' ? 'parts' : 'pages'
}

function durationText(seconds: number): string {
  const [hours, minutes, rest] = [
    Math.floor(seconds / 3600),
    Math.floor((seconds % 3600) / 60),
    Math.floor(seconds % 60),
  ]
  const two = (value: number) => String(value).padStart(2, '0')
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`
}
