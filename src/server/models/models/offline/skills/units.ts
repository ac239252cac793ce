import { Decimal } from 'decimal.js'
import type { Language } from '#shared/platform/primitives.ts'
import { calculate } from '../../../../../tools/calculator/calculate.ts'
import { say } from '../phrases.ts'
import { shorten, writeNumber } from '../words/numerals.ts'
import { type Token, wordAt } from '../words/tokens.ts'
import type { Answer, Question } from './skill.ts'
import { findUnit, type Unit } from './unit-table.ts'

type Quantity = { value: string; unit: Unit; from: number; to: number }

/** Answers “5 km in miles”, “how many feet in a mile”, “3 km + 200 m”, “3 × 60 minutes in hours”. */
export function answerUnits({ tokens, language }: Question): Answer | null {
  const quantities = findQuantities(tokens, language)
  const [first, second] = quantities
  const numbers = tokens.filter(({ kind }) => kind === 'number').length
  if (!first || quantities.length > 2) return null
  const sign = second ? signBetween(tokens, first, second) : null
  const times = second ? null : factorBefore(tokens, first)
  // Any other number makes it another question.
  if (numbers > quantities.filter(({ isOne }) => !isOne).length + (times ? 1 : 0)) return null
  if (second && !sign) return null
  const target = findTarget(tokens, quantities, language)
  if (!target && !sign && !times) return null
  const units = [first.unit, ...(second ? [second.unit] : []), ...(target ? [target] : [])]
  const other = units.find(({ dimension }) => dimension !== first.unit.dimension)
  if (other) return { text: sayMixed(first.unit, other, language) }
  return convert({ first, second: second ?? null, sign, times, target: target ?? first.unit }, language)
}

/** Returns whether a unit begins at a token, rather than a word that looks like one. */
export const isUnit = (tokens: Token[], at: number): boolean =>
  findUnit(tokens, at) !== null && wordAt(tokens, at).length > 1 && wordAt(tokens, at) !== 'to'

type Found = Quantity & { isOne: boolean }
type Conversion = {
  first: Found
  second: Found | null
  sign: '+' | '-' | null
  times: string | null
  target: Unit
}

function convert({ first, second, sign, times, target }: Conversion, language: Language): Answer | null {
  const one = toBase(times ? calculate(times, 'multiply', first.value) : first.value, first.unit)
  // Temperatures cannot be added: 20 °C and 5 °C are not 25 °C.
  if ((second || times) && first.unit.dimension === 'temperature') return null
  const all = second
    ? calculate(one, sign === '+' ? 'add' : 'subtract', toBase(second.value, second.unit))
    : one
  const exact = new Decimal(calculate(calculate(all, 'divide', target.factor), 'subtract', target.offset))
  // Repeating factors have forty digits, so digits after the thirtieth may be wrong.
  const value = exact.toSignificantDigits(30)
  const full = shorten(value.toFixed(), 10)
  const { digits, isExact } = full.isExact ? full : shorten(value.toFixed(), 6)
  const asked = [
    ...(times ? [writeNumber(times, language), '×'] : []),
    writeQuantity(first.value, first.unit, language),
    ...(second ? [sign === '+' ? '+' : '−', writeQuantity(second.value, second.unit, language)] : []),
  ].join(' ')
  const result = writeQuantity(digits, target, language)
  return { text: `${asked} ${isExact ? '=' : '≈'} **${result}**.`, number: value.toFixed() }
}

const toBase = (value: string, { factor, offset }: Unit) =>
  calculate(calculate(value, 'add', offset), 'multiply', factor)

export function writeQuantity(digits: string, { label }: Unit, language: Language): string {
  const name = label[language]
  const number = new Decimal(digits).abs()
  const isOne = language === 'fr' ? number.lessThan(2) : number.equals(1)
  const unit = typeof name === 'string' ? name : name[isOne ? 0 : 1]
  return `${writeNumber(digits, language)}\u00a0${unit}`
}

const nameOf = ({ label }: Unit, language: Language) => {
  const name = label[language]
  return typeof name === 'string' ? name : name[1]
}

function sayMixed(a: Unit, b: Unit, language: Language): string {
  return say(language, 'mixed_units', nameOf(a, language), nameOf(b, language))
}

const articles = new Set(['a', 'an', 'one'])

function findQuantities(tokens: Token[], language: Language): Found[] {
  const found: Found[] = []
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]
    const isOne = articles.has(wordAt(tokens, at)) && language === 'en'
    if (token?.kind !== 'number' && !isOne) continue
    const unit = inchAt(tokens, at + 1) ?? findUnit(tokens, at + 1)
    if (!unit || (isOne && wordAt(tokens, at + 1).length === 1) || isWordOnly(tokens, at + 1, language))
      continue
    const sign = tokens[at - 1]
    const isNegative = sign?.kind === 'sign' && sign.sign === '-' && !isUnitEnd(tokens, at - 2)
    const digits = token?.kind === 'number' ? token.value : '1'
    const to = at + 1 + unit.length
    found.push({ value: isNegative ? `-${digits}` : digits, unit: unit.meaning, from: at, to, isOne })
    at = to - 1
  }
  return found
}

/** “5 to 10” names no terabytes, and “2 + 2 c’est” no degrees: a letter before another word is not a unit. */
function isWordOnly(tokens: Token[], at: number, language: Language): boolean {
  const [word, next] = [wordAt(tokens, at), wordAt(tokens, at + 1)]
  if (word === 'to') return language === 'en'
  return (
    word.length === 1 && next !== '' && !arrows.has(next) && !['plus', 'minus', 'moins', 'et'].includes(next)
  )
}

/** Returns whether a number or a unit ends here, so that a minus after it subtracts. */
const isUnitEnd = (tokens: Token[], at: number) =>
  tokens[at]?.kind === 'number' || findUnit(tokens, at) !== null

/** “in” is an inch only before a conversion: “5 in to cm”. */
function inchAt(tokens: Token[], at: number) {
  const isInch = wordAt(tokens, at) === 'in' && ['to', 'in', 'into'].includes(wordAt(tokens, at + 1))
  return isInch ? findUnit([{ kind: 'word', word: 'inch' }], 0) : null
}

function signBetween(tokens: Token[], first: Quantity, second: Quantity): '+' | '-' | null {
  if (second.from !== first.to + 1) return null
  const token = tokens[first.to]
  // “9h-17h” is a range.
  if (token?.kind === 'sign' && !token.isTight && (token.sign === '+' || token.sign === '-'))
    return token.sign
  const word = wordAt(tokens, first.to)
  if (word === 'plus') return '+'
  return word === 'minus' || word === 'moins' ? '-' : null
}

function factorBefore(tokens: Token[], { from }: Quantity): string | null {
  const [number, times] = [tokens[from - 2], tokens[from - 1]]
  const isTimes =
    (times?.kind === 'sign' && times.sign === '*') ||
    ['times', 'fois', 'x'].includes(wordAt(tokens, from - 1))
  return isTimes && number?.kind === 'number' ? number.value : null
}

const arrows = new Set(['in', 'to', 'into', 'as', 'en', 'vers'])
/** Words before the unit of a question: “how many feet”, “combien de mètres”. */
const amounts = new Set(['many', 'much'])

function findTarget(tokens: Token[], quantities: Quantity[], language: Language): Unit | null {
  const isUsed = (at: number) => quantities.some(({ from, to }) => at >= from && at < to)
  for (let at = tokens.length - 1; at > 0; at--) {
    const unit = isUsed(at) ? null : findUnit(tokens, at)
    if (!unit) continue
    const before = wordAt(tokens, at - 1)
    const isCombien = ['de', 'd'].includes(before) && wordAt(tokens, at - 2) === 'combien'
    const isGiven = arrows.has(before) && !(language === 'en' && wordAt(tokens, at) === 'to')
    if (isGiven || amounts.has(before) || isCombien) return unit.meaning
  }
  return null
}
