import { Decimal } from 'decimal.js'
import type { Language } from '#shared/platform/primitives.ts'
import { readTokens } from './tokens.ts'

const marks: Record<Language, { thousands: string; point: string }> = {
  en: { thousands: ',', point: '.' },
  fr: { thousands: '\u202f', point: ',' },
}

/** Writes decimal digits in the format of a language: 1,234.5 or 1 234,5. */
export function writeNumber(digits: string, language: Language): string {
  const { thousands, point } = marks[language]
  const number = new Decimal(digits)
  const [whole = '', fraction] = number.abs().toFixed().split('.')
  const groups: string[] = []
  for (let end = whole.length; end > 0; end -= 3) groups.unshift(whole.slice(Math.max(0, end - 3), end))
  const sign = number.isNegative() && !number.isZero() ? '−' : ''
  return `${sign}${groups.join(thousands)}${fraction ? point + fraction : ''}`
}

/** Rounds to significant digits. Returns whether the result is exact. */
export function shorten(digits: string, significant = 12): { digits: string; isExact: boolean } {
  const number = new Decimal(digits)
  if (number.isInteger()) return { digits: number.toFixed(), isExact: true }
  const short = number.toSignificantDigits(significant)
  return { digits: short.toFixed(), isExact: short.equals(number) }
}

export const writePercent = (written: string, language: Language) =>
  language === 'fr' ? `${written}\u202f%` : `${written}%`

/** Returns the last number of an answer, of its bold text if there is any; null without a number. */
export function readLastNumber(text: string, language: Language): string | null {
  const bold = text.split('**')
  const told = bold.length > 2 ? (bold.at(-2) ?? '') : text.slice(-200)
  const isFrench = told.includes('\u202f') || language === 'fr'
  const tokens = readTokens(told.replaceAll('−', '-'), isFrench ? 'fr' : 'en')
  const at = tokens.findLastIndex(({ kind }) => kind === 'number')
  const last = tokens[at]
  if (last?.kind !== 'number') return null
  const before = tokens[at - 1]
  const isNegative = before?.kind === 'sign' && before.sign === '-' && tokens[at - 2]?.kind !== 'number'
  return isNegative ? `-${last.value}` : last.value
}
