import type { Decimal } from 'decimal.js'
import type { Language } from '#shared/platform/primitives.ts'
import { writeNumber } from './numerals.ts'
import type { Token } from './tokens.ts'
import { wordAt } from './tokens.ts'

export type Currency = '€' | '$' | '£' | 'CHF'

const names: [Currency, string[]][] = [
  ['€', ['€', 'euro', 'euros', 'eur']],
  ['$', ['$', 'dollar', 'dollars', 'usd']],
  ['£', ['£', 'pound', 'pounds', 'quid', 'gbp', 'livre', 'livres']],
  ['CHF', ['chf', 'franc', 'francs']],
]

/** Returns the currency that is named first, or null. */
export function findCurrency(tokens: Token[]): Currency | null {
  for (const [at, token] of tokens.entries()) {
    const said = token.kind === 'sign' ? token.sign : wordAt(tokens, at)
    const found = names.find(([, spellings]) => spellings.includes(said))
    if (found) return found[0]
  }
  return null
}

/** Writes an amount of money, with cents unless it is whole: “€25.30”, « 25,30 € », 22.50. */
export function writeMoney(amount: Decimal, currency: Currency | null, language: Language): string {
  const isWhole = amount.isInteger()
  const rounded = amount.toDecimalPlaces(2)
  const [whole = '0', cents = ''] = rounded.abs().toFixed().split('.')
  const digits = writeNumber(whole, language)
  const point = language === 'fr' ? ',' : '.'
  const sign = rounded.isNegative() && !rounded.isZero() ? '−' : ''
  const written = isWhole ? digits : `${digits}${point}${cents.padEnd(2, '0')}`
  if (!currency) return sign + written
  if (language === 'fr') return `${sign}${written}\u00a0${currency}`
  return currency === 'CHF' ? `${sign}CHF\u00a0${written}` : `${sign}${currency}${written}`
}
