import { formatNumber } from '../../platform/i18n/format.ts'
import type { TFunction } from '../../platform/i18n/i18n.ts'
import { sizeText } from '../../platform/ui/files/file-size.ts'
import { isUnderWay, type Upload } from './upload.ts'

/** Minimum time before the speed can be estimated. */
const EARLY_MS = 2000

export type UploadSum = {
  files: number
  done: number
  waiting: number
  /** Bytes, without refused files. */
  total: number
  sent: number
  percent: number
  isOver: boolean
}

/** Sums up all uploads of the list. */
export function sumOf(items: readonly Upload[]): UploadSum {
  const counted = items.filter(({ state }) => state !== 'failed')
  const total = counted.reduce((sum, { file }) => sum + file.size, 0)
  const sent = counted.reduce((sum, item) => sum + item.sent, 0)
  return {
    ...{ files: counted.length, total, sent },
    done: counted.filter(({ state }) => state === 'done').length,
    waiting: counted.filter(({ state }) => state === 'waiting').length,
    percent: total === 0 ? 100 : Math.floor((sent / total) * 100),
    isOver: !items.some(isUnderWay),
  }
}

export function progressText(t: TFunction, { done, files, sent, total }: UploadSum): string {
  return t('documents:upload.progress', {
    ...{ done: formatNumber(done), files: formatNumber(files) },
    ...{ sent: sizeText(t, sent), total: sizeText(t, total) },
  })
}

/** Returns the remaining time at the speed so far; empty while unknown. `since`: clock in milliseconds. */
export function leftText(t: TFunction, { sent, total }: UploadSum, since: number, now = Date.now()): string {
  const passed = now - since
  if (passed < EARLY_MS || sent === 0) return ''
  const seconds = Math.ceil(((total - sent) / sent) * (passed / 1000))
  return timeLeft(t, seconds)
}

/** Formats an approximate remaining time. */
export function timeLeft(t: TFunction, seconds: number): string {
  if (seconds < 60) return t('documents:left.seconds', { count: Math.max(1, Math.round(seconds)) })
  if (seconds < 3600) return t('documents:left.minutes', { count: Math.round(seconds / 60) })
  return t('documents:left.hours', { count: Math.round(seconds / 3600) })
}
