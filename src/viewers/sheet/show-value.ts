import type { BlockCell, SheetEntry } from '#shared/knowledge/documents/kept-files.ts'
import { formatDate, formatNumber, type useTranslation } from '../../web/platform/ui/card-parts.ts'

type T = ReturnType<typeof useTranslation>['t']
export type Show = (cell: BlockCell) => string

/**
 * Returns a formatter for cell values. It localises numbers and dates and keeps values in the file's own notation.
 * It reads the locale's separators only once, because a grid shows hundreds of values.
 */
export function showIn(t: T, notation: SheetEntry['notation']): Show {
  if (notation === 'own') return ({ v }) => v
  const [showNumber, showDate] = [numbers(), dates()]
  const [yes, no] = [t('documents:viewer.sheet.true'), t('documents:viewer.sheet.false')]
  return ({ v, t: kind }) => {
    if (kind === 'n') return showNumber(v)
    if (kind === 'd') return showDate(v)
    if (kind === 'b') return v === 'TRUE' ? yes : no
    return v
  }
}

/** Formats numbers such as `1,234.50 €` with the separators of the reader's language. */
function numbers(): (text: string) => string {
  const sample = formatNumber(11_111.1)
  const [group = '', decimal = '.'] = [sample.slice(2, -5), sample.at(-2)]
  const spaced = formatNumber(0.5, { style: 'percent' }).slice(2, -1)
  return (text) =>
    text
      .replace(/\d[\d,]*(?:\.\d+)?|\.\d+/g, (number) =>
        number.replace(/[.,]/g, (mark) => (mark === ',' ? group : decimal)),
      )
      .replace(/(\d)%/g, `$1${spaced}%`)
}

/** Localises ISO dates and English month names. */
function dates(): (text: string) => string {
  const day = { day: '2-digit', month: '2-digit', year: 'numeric', timeZone: 'UTC' } as const
  const order = formatDate('2001-02-03T00:00:00Z', day)
  const names = new Map<string, string>()
  for (const [at, month] of months.entries()) {
    const date = new Date(Date.UTC(2024, at, 1))
    names.set(month, formatDate(date, { month: 'long', timeZone: 'UTC' }))
    if (month.length > 3) names.set(month.slice(0, 3), formatDate(date, { month: 'short', timeZone: 'UTC' }))
  }
  return (text) => {
    const [, year, month, date, rest = ''] = /^(\d{4})-(\d{2})-(\d{2})(?!\d)(.*)$/.exec(text) ?? []
    if (year && month && date)
      return (
        order.replace(/2001|02|03/g, (part) => ({ '2001': year, '02': month, '03': date })[part] ?? part) +
        rest
      )
    return text.replace(/[A-Z][a-z]{2,}/g, (word) => names.get(word) ?? word)
  }
}

const months = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
]
