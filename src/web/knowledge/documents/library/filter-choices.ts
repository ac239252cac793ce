import { formatDate } from '../../../platform/i18n/format.ts'
import { currentLanguage, type TFunction } from '../../../platform/i18n/i18n.ts'
import { sizeText } from '../../../platform/ui/files/file-size.ts'
import { type LibraryFilter, type Sort, sorts } from './library-filter.ts'

const MB = 1024 * 1024
const DAY_MS = 86_400_000

type Sizes = Pick<LibraryFilter, 'minSize' | 'maxSize'>
type Days = Pick<LibraryFilter, 'from' | 'to'>

export const sizeRanges: Sizes[] = [
  { minSize: null, maxSize: MB },
  { minSize: MB, maxSize: 10 * MB },
  { minSize: 10 * MB, maxSize: 100 * MB },
  { minSize: 100 * MB, maxSize: null },
]

/** Returns the name of a language in the current language. */
export function languageName(code: string): string {
  try {
    const name = new Intl.DisplayNames([currentLanguage()], { type: 'language' }).of(code) ?? code
    return name.charAt(0).toUpperCase() + name.slice(1)
  } catch {
    return code
  }
}

/** Returns date ranges by local calendar days. */
export function dayRanges(now = new Date()) {
  const before = (days: number) => dayOf(new Date(now.getTime() - days * DAY_MS))
  return [
    { name: 'today', from: before(0) },
    { name: 'week', from: before(6) },
    { name: 'month', from: before(29) },
    { name: 'year', from: `${now.getFullYear()}-01-01` },
  ] as const
}

/** Returns the first day that counts as recent. */
export const recentSince = () => dayRanges()[1].from

/** Returns which range a filter is; null for another one, or none. */
export function rangeOf({ from, to }: Days) {
  return to === null ? (dayRanges().find((range) => range.from === from)?.name ?? null) : null
}

export function rangeText(t: TFunction, days: Days): string | null {
  const known = rangeOf(days)
  if (known) return t(`documents:added.${known}`)
  const [from, to] = [
    days.from && formatDate(`${days.from}T12:00:00`),
    days.to && formatDate(`${days.to}T12:00:00`),
  ]
  if (from && to) return t('documents:added.between', { from, to })
  if (from) return t('documents:added.since', { from })
  return to ? t('documents:added.until', { to }) : null
}

export function sizeRangeText(t: TFunction, { minSize, maxSize }: Sizes): string | null {
  if (minSize !== null && maxSize !== null)
    return t('documents:sizes.between', { from: sizeText(t, minSize), to: sizeText(t, maxSize) })
  if (minSize !== null) return t('documents:sizes.above', { from: sizeText(t, minSize) })
  return maxSize === null ? null : t('documents:sizes.below', { to: sizeText(t, maxSize) })
}

function dayOf(date: Date): string {
  const two = (value: number) => String(value).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** The available orders, each with its usual direction first. */
export const orders = sorts.flatMap((by) =>
  firstOrder(by) === 'desc'
    ? ([
        [by, 'desc'],
        [by, 'asc'],
      ] as const)
    : ([
        [by, 'asc'],
        [by, 'desc'],
      ] as const),
)

/** Newest, largest and starred first; everything else from A to Z. */
export function firstOrder(sort: Sort): 'asc' | 'desc' {
  return sort === 'date' || sort === 'size' || sort === 'star' ? 'desc' : 'asc'
}
