import type { CsvStyle } from '#shared/platform/csv.ts'
import { dayComesFirst, readDate } from './read-date.ts'
import { type Decimal, decimalOf, readNumber } from './read-number.ts'

/** A cell as a workbook takes it. A text is never anything else there, whatever it begins with. */
export type TableCell =
  | { value: string; type: StringConstructor }
  | { value: number; type: NumberConstructor; format?: string }
  | { value: Date; type: DateConstructor; format: string }

/** Quantities with what stands around the number. */
const money =
  /^(-?)(€|\$|£|¥|EUR|USD|GBP|CHF|JPY|CAD)?[ \u00a0\u202f]?(-?[\d.,'’ \u00a0\u202f\u2009]{1,40}?)[ \u00a0\u202f]?(€|\$|£|¥|EUR|USD|GBP|CHF|JPY|CAD)?$/
type Quantity = { number: string; before: string; after: string }

/**
 * The cells of a column: numbers, percentages, money and dates as such, everything else as text. What a comma means, or which number is
 * the day, the column decides; `style` is usual where it does not say.
 */
export function cellsOf(column: readonly string[], style: CsvStyle): TableCell[] {
  const texts = column.map((text) => text.trim())
  const decimal = decimalOf(
    texts.flatMap((text) => takeApart(text)?.number ?? []),
    style.decimal,
  )
  const isDayFirst = dayComesFirst(texts, style.decimal === ',' ? true : null)
  return texts.map((text, at) => {
    const quantity = takeApart(text)
    const number = quantity && numberCell(quantity, decimal)
    if (number) return number
    const date = readDate(text, isDayFirst)
    return date ? { ...date, type: Date } : { value: column[at] ?? '', type: String }
  })
}

/** What is a number with a sign of percent or money around it; null for other words. */
function takeApart(text: string): Quantity | null {
  if (!/\d/.test(text)) return null
  if (text.endsWith('%')) return { number: text.slice(0, -1).trim(), before: '', after: '%' }
  const [, sign = '', before = '', number = '', after = ''] = money.exec(text.replace('−', '-')) ?? []
  if (number === '' || (before !== '' && after !== '')) return null
  return { number: sign + number, before, after }
}

function numberCell({ number, before, after }: Quantity, decimal: Decimal | null): TableCell | null {
  // Of a column that writes both ways, only what can be read in one way is a number.
  const readings = (decimal ? [decimal] : (['.', ','] as const)).flatMap(
    (one) => readNumber(number, one) ?? [],
  )
  const [read] = readings
  if (!read || readings.length > 1) return null
  const { value, decimals, isGrouped } = read
  const tail = decimals > 0 ? `.${'0'.repeat(Math.min(decimals, 10))}` : ''
  if (after === '%')
    return { value: Number((value / 100).toPrecision(15)), type: Number, format: `0${tail}%` }
  if (before)
    return { value, type: Number, format: `[$${before}]${before.length > 1 ? ' ' : ''}#,##0${tail}` }
  if (after) return { value, type: Number, format: `#,##0${tail} [$${after}]` }
  return isGrouped ? { value, type: Number, format: `#,##0${tail}` } : { value, type: Number }
}
