/** How a column writes its numbers: what stands before the decimals. */
export type Decimal = '.' | ','

/** A number as it was written, with its decimals and whether it has groups of thousands. */
export type WrittenNumber = { value: number; decimals: number; isGrouped: boolean }

/** Exact in a spreadsheet up to here. */
const MOST_DIGITS = 15
/** Groups of three behind one kind of sign, or none; then decimals. */
const shapes = {
  '.': /^[+-]?(?:\d+|\d{1,3}([',’ \u00a0\u202f\u2009])\d{3}(?:\1\d{3})*)(?:\.(\d+))?$/,
  ',': /^[+-]?(?:\d+|\d{1,3}([.'’ \u00a0\u202f\u2009])\d{3}(?:\1\d{3})*)(?:,(\d+))?$/,
}

/**
 * The number that a text writes with this sign before its decimals; null for what is none. A code with zeros in front is none, and what has
 * more digits than a spreadsheet keeps.
 */
export function readNumber(written: string, decimal: Decimal): WrittenNumber | null {
  const text = written.replace('−', '-')
  const found = shapes[decimal].exec(text)
  if (!found || /^[+-]?0\d/.test(text)) return null
  const plain = [...text].filter((sign) => /[\d+-]/.test(sign) || sign === decimal).join('')
  if (plain.replace(/\D/g, '').length > MOST_DIGITS) return null
  return {
    value: Number(plain.replace(decimal, '.')),
    decimals: found[2]?.length ?? 0,
    isGrouped: found[1] !== undefined,
  }
}

/** Which sign the numbers of a column have before their decimals, as far as they say so; null when they contradict each other. */
export function decimalOf(numbers: readonly string[], usual: Decimal): Decimal | null {
  const says = (one: Decimal, other: Decimal) =>
    numbers.some((text) => readNumber(text, one) !== null && readNumber(text, other) === null)
  const [point, comma] = [says('.', ','), says(',', '.')]
  if (point && comma) return null
  return point ? '.' : comma ? ',' : usual
}
