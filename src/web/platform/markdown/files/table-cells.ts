import type { CsvStyle } from '#shared/platform/csv.ts'
import { dayComesFirst, readDate } from './read-date.ts'
import { type Decimal, decimalOf, readNumber } from './read-number.ts'

/** A cell for a workbook. Text is always text, whatever its prefix. */
export type TableCell =
  | { value: string; type: StringConstructor }
  | { value: number; type: NumberConstructor; format?: string }
  | { value: Date; type: DateConstructor; format: string }

/** Amounts with the units around the number. */
const money =
  /^(-?)(€|\$|£|¥|EUR|USD|GBP|CHF|JPY|CAD)?[ \u00a0\u202f]?(-?[\d.,'’ \u00a0\u202f\u2009]{1,40}?)[ \u00a0\u202f]?(€|\$|£|¥|EUR|USD|GBP|CHF|JPY|CAD)?$/
type Quantity = { number: string; before: string; after: string }

/**
 * Returns the cells of a column: numbers, percentages, money and dates as such, everything else as text. The column decides
 * the meaning of commas and of ambiguous dates; `style` is the default.
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

/** Splits a number from its percent or currency sign; null for other text. */
function takeApart(text: string): Quantity | null {
  if (!/\d/.test(text)) return null
  if (text.endsWith('%')) return { number: text.slice(0, -1).trim(), before: '', after: '%' }
  const [, sign = '', before = '', number = '', after = ''] = money.exec(text.replace('−', '-')) ?? []
  if (number === '' || (before !== '' && after !== '')) return null
  return { number: sign + number, before, after }
}

function numberCell({ number, before, after }: Quantity, decimal: Decimal | null): TableCell | null {
  // In a column with both separators, only unambiguous numbers count.
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
