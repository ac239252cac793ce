/** The decimal separator of a column. */
export type Decimal = '.' | ','

/** A number with its decimals, and whether it has thousands separators. */
export type WrittenNumber = { value: number; decimals: number; isGrouped: boolean }

/** Maximum digits that are exact in a spreadsheet. */
const MAX_DIGITS = 15
/** Groups of three with one kind of separator, or none; then decimals. */
const shapes = {
  '.': /^[+-]?(?:\d+|\d{1,3}([',’ \u00a0\u202f\u2009])\d{3}(?:\1\d{3})*)(?:\.(\d+))?$/,
  ',': /^[+-]?(?:\d+|\d{1,3}([.'’ \u00a0\u202f\u2009])\d{3}(?:\1\d{3})*)(?:,(\d+))?$/,
}

/**
 * Parses a number with this decimal separator; null if it is not a number. Codes with leading zeros, and numbers with too
 * many digits for a spreadsheet, are not numbers.
 */
export function readNumber(written: string, decimal: Decimal): WrittenNumber | null {
  const text = written.replace('−', '-')
  const found = shapes[decimal].exec(text)
  if (!found || /^[+-]?0\d/.test(text)) return null
  const plain = [...text].filter((sign) => /[\d+-]/.test(sign) || sign === decimal).join('')
  if (plain.replace(/\D/g, '').length > MAX_DIGITS) return null
  return {
    value: Number(plain.replace(decimal, '.')),
    decimals: found[2]?.length ?? 0,
    isGrouped: found[1] !== undefined,
  }
}

/** Returns the decimal separator of a column's numbers, as far as they show it; null if they contradict each other. */
export function decimalOf(numbers: readonly string[], usual: Decimal): Decimal | null {
  const says = (one: Decimal, other: Decimal) =>
    numbers.some((text) => readNumber(text, one) !== null && readNumber(text, other) === null)
  const [point, comma] = [says('.', ','), says(',', '.')]
  if (point && comma) return null
  return point ? '.' : comma ? ',' : usual
}
