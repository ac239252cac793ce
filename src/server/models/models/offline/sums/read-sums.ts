import type { Language } from '#shared/platform/primitives.ts'
import { calculate } from '../../../../../tools/calculator/calculate.ts'
import { writeNumber, writePercent } from '../words/numerals.ts'
import type { Token } from '../words/tokens.ts'
import { isBare, isMeant } from './meant.ts'
import { type Link, readSumItems, type SumItem, type Verb } from './sum-items.ts'

export type SumOperation = 'add' | 'subtract' | 'multiply' | 'divide' | 'power' | 'root'

/** One operation. An operand is decimal digits, or `#n` for the result of the operation with index n. */
export type Calculation = { operation: SumOperation; a: string; b: string }

/** The sums of one question: the operations in order, and the range of operations of each sum. */
export type Sums = {
  calculations: Calculation[]
  sums: { from: number; to: number; shown: string; isPlain: boolean }[]
}

/** Maximum operations of a question. Each may be a call. */
const mostOperations = 40

/**
 * Reads the sums in a question; null without one. `before` is the number that “it” refers to. `isMeasured` returns whether a unit
 * begins at a token: 3 × 60 minutes is not a sum of numbers.
 */
export function readSums(
  tokens: Token[],
  language: Language,
  before: string | null,
  isMeasured: (at: number) => boolean,
): Sums | null {
  const found: Sums = { calculations: [], sums: [] }
  for (const place of readSumItems(tokens)) {
    const { items, to } = place
    if (isMeasured(to) || !isMeant(place, tokens)) continue
    // A sum on a previous answer must be the whole text: “add 3 eggs” is not a sum.
    if (before !== null && !isBare(place, tokens)) continue
    // “then minus 3” continues the previous sum.
    const goesOn = before !== null && items[0]?.kind === 'sign' && '+-*/^'.includes(items[0].sign)
    const row = trim(goesOn ? [{ kind: 'before' }, ...items] : items)
    if (addSum(found, row, language, before)) continue
    for (const part of splitAtLinks(row)) addSum(found, trim(part), language, before)
  }
  return found.sums.length > 0 && found.calculations.length <= mostOperations ? found : null
}

/** Adds the sum that a whole row forms. Returns false when the row is not a sum. */
function addSum(found: Sums, row: SumItem[], language: Language, before: string | null): boolean {
  const from = found.calculations.length
  const reader = createReader(row, found.calculations, language, before)
  const sum = reader.readAll()
  const done = found.calculations.slice(from)
  if (!sum || done.length === 0) {
    found.calculations.length = from
    return false
  }
  const isPlain = !sum.hasPercent && done.every(({ operation }) => !['power', 'root'].includes(operation))
  found.sums.push({ from, to: found.calculations.length, shown: sum.shown, isPlain })
  return true
}

const isLoose = (item: SumItem | undefined) =>
  item?.kind === 'link' || (item?.kind === 'sign' && '+*/^)'.includes(item.sign))

/** Removes items that cannot begin or end a sum. */
function trim(items: SumItem[]): SumItem[] {
  let [from, to] = [0, items.length]
  while (from < to && isLoose(items[from])) from += 1
  while (to > from && (isLoose(items[to - 1]) || isOpenEnd(items[to - 1]))) {
    const last = items[to - 1]
    if (last?.kind === 'sign' && last.sign === ')') break
    to -= 1
  }
  return items.slice(from, to)
}

const isOpenEnd = (item: SumItem | undefined) =>
  item?.kind === 'verb' || (item?.kind === 'sign' && (item.sign === '-' || item.sign === '('))

function splitAtLinks(items: SumItem[]): SumItem[][] {
  const parts: SumItem[][] = [[]]
  for (const item of items) {
    if (item.kind === 'link') parts.push([])
    else parts.at(-1)?.push(item)
  }
  return parts.length > 1 ? parts : []
}

type Operand = {
  ref: string
  shown: string
  isPercent?: boolean
  hasPercent?: boolean
  /** The two sides of a fraction of integers. */
  fraction?: [Operand, Operand]
}

/** Creates a recursive descent parser. A row has at most as many items as a question has tokens. */
function createReader(items: SumItem[], done: Calculation[], language: Language, before: string | null) {
  let at = 0
  const isSign = (signs: string) => {
    const item = items[at]
    return item?.kind === 'sign' && signs.includes(item.sign)
  }
  const takeSign = (signs: string): string | null => {
    const item = items[at]
    if (item?.kind !== 'sign' || !signs.includes(item.sign)) return null
    at += 1
    return item.sign
  }
  const takeLink = (...links: Link[]): Link | null => {
    const item = items[at]
    if (item?.kind !== 'link' || !links.includes(item.link)) return null
    at += 1
    return item.link
  }
  const number = (value: string): Operand => ({ ref: value, shown: writeNumber(value, language) })
  const given = () => (before === null ? null : number(before))

  const combine = (operation: SumOperation, a: Operand, b: Operand, shown: string): Operand => {
    done.push({ operation, a: a.ref, b: b.ref })
    const hasPercent = Boolean(a.hasPercent || b.hasPercent || a.isPercent || b.isPercent)
    return { ref: `#${done.length - 1}`, shown, hasPercent }
  }
  const percentOf = (percent: Operand, whole: Operand, shown: string): Operand => {
    // A percentage in digits takes one operation: 15 % of 240 is 0.15 × 240.
    if (!percent.ref.startsWith('#'))
      return combine(
        'multiply',
        { ...percent, ref: calculate(percent.ref, 'multiply', '0.01') },
        whole,
        shown,
      )
    const times = combine('multiply', whole, percent, shown)
    return combine('divide', times, number('100'), shown)
  }
  /** a + b, or a + b % of a. */
  const change = (sign: '+' | '-', a: Operand, b: Operand): Operand => {
    const shown = `${a.shown} ${sign === '+' ? '+' : '−'} ${b.shown}`
    const operation = sign === '+' ? 'add' : 'subtract'
    return combine(operation, a, b.isPercent ? percentOf(b, a, b.shown) : asNumber(b), shown)
  }
  /** 15 % on its own is 0.15. */
  const asNumber = (operand: Operand): Operand =>
    operand.isPercent
      ? combine('divide', { ...operand, isPercent: false, hasPercent: true }, number('100'), operand.shown)
      : operand

  function sum(): Operand | null {
    let left = product()
    while (left && isSign('+-')) {
      const sign = takeSign('+-') as '+' | '-'
      const right = product()
      left = right && change(sign, asNumber(left), right)
    }
    return left
  }
  function product(takesWhole = true): Operand | null {
    let left = power()
    while (left) {
      if (takesWhole && left.isPercent && takeLink('of')) {
        const whole = power()
        const of = language === 'fr' ? 'de' : 'of'
        left = whole && percentOf(left, asNumber(whole), `${left.shown} ${of} ${whole.shown}`)
      } else if (takesWhole && left.isPercent && takeLink('off')) {
        const whole = power()
        left = whole && change('-', whole, left)
      } else if (takesWhole && left.fraction && takeLink('of')) {
        // “2/3 of 90” is 90 × 2 ÷ 3.
        const [over, under] = left.fraction
        done.pop()
        const whole = power()
        const times = whole && combine('multiply', asNumber(whole), over, `${whole.shown} × ${over.shown}`)
        left = times && combine('divide', times, under, `${times.shown} ÷ ${under.shown}`)
      } else if (isSign('*/')) {
        const sign = takeSign('*/')
        const right = power()
        const shown = `${left.shown} ${sign === '*' ? '×' : '÷'} ${right?.shown}`
        const isFraction = sign === '/' && [left, right].every((side) => side && /^\d+$/.test(side.ref))
        const sides: Operand['fraction'] = isFraction && right ? [left, right] : undefined
        left = right && combine(sign === '*' ? 'multiply' : 'divide', asNumber(left), asNumber(right), shown)
        if (left && sides) left = { ...left, fraction: sides }
      } else return left
    }
    return left
  }
  function power(): Operand | null {
    if (takeSign('-')) {
      const negated = power()
      if (!negated) return null
      if (negated.ref.startsWith('#')) return combine('subtract', number('0'), negated, `−${negated.shown}`)
      return { ...negated, ref: negate(negated.ref), shown: `−${negated.shown}` }
    }
    const base = postfix()
    if (!base || !takeSign('^')) return base
    const exponent = power()
    return exponent && combine('power', base, exponent, writePower(base.shown, exponent))
  }
  function postfix(): Operand | null {
    let operand = factor()
    for (let item = items[at]; operand; item = items[at]) {
      if (takeSign('%'))
        operand = { ...operand, isPercent: true, shown: writePercent(operand.shown, language) }
      else if (item?.kind === 'raised') {
        at += 1
        operand = combine('power', operand, number(item.to), writePower(operand.shown, number(item.to)))
      } else if (item?.kind === 'share') operand = shareOf(operand)
      else return operand
    }
    return operand
  }
  /** “half of 30”, “three quarters of 80”. “30 doubled” is not supported. */
  function shareOf(count: Operand | null): Operand | null {
    const item = items[at++]
    if (item?.kind !== 'share') return null
    takeLink('of')
    const whole = postfix()
    if (!whole) return null
    const times =
      count && count.ref !== '1'
        ? combine('multiply', whole, count, `${whole.shown} × ${count.shown}`)
        : whole
    const by = number(item.by)
    return combine(
      item.operation,
      times,
      by,
      `${times.shown} ${item.operation === 'divide' ? '÷' : '×'} ${by.shown}`,
    )
  }
  function factor(): Operand | null {
    const item = items[at]
    if (item?.kind === 'share') return shareOf(null)
    if (takeSign('(')) {
      const inner = sum()
      return inner && takeSign(')') ? { ...inner, shown: `(${inner.shown})` } : null
    }
    if (item?.kind !== 'number' && item?.kind !== 'before' && item?.kind !== 'root' && item?.kind !== 'verb')
      return null
    at += 1
    if (item.kind === 'number') return number(item.value)
    if (item.kind === 'before') return given()
    if (item.kind === 'verb') return doVerb(item.verb)
    takeLink('of')
    const inside = isSign('-') ? power() : postfix()
    const mark = item.degree === '2' ? '√' : '∛'
    return inside && combine('root', inside, number(item.degree), `${mark}${inside.shown}`)
  }
  function doVerb(verb: Verb): Operand | null {
    if (verb === 'square') {
      takeLink('of')
      const base = postfix()
      return base && combine('power', base, number('2'), writePower(base.shown, number('2')))
    }
    const first = isLinked('by', 'of') ? given() : product(false)
    const joined = takeLink('by', 'and', 'from', 'of', 'off', 'to')
    const second = joined ? product() : null
    if (!first || (joined && !second)) return null
    if (!second)
      return verb === 'multiply' || verb === 'divide' || verb === 'difference' ? null : goOn(verb, first)
    return addMore(verb, apply(verb, joined, first, second))
  }
  const isLinked = (...links: Link[]) => {
    const item = items[at]
    return item?.kind === 'link' && links.includes(item.link)
  }
  /** Applies “add 3” to the previous result. */
  const goOn = (verb: Verb, operand: Operand): Operand | null => {
    const known = given()
    return known && change(verb === 'add' ? '+' : '-', known, operand)
  }
  const apply = (verb: Verb, joined: Link | null, a: Operand, b: Operand): Operand => {
    if (verb === 'multiply') return combine('multiply', asNumber(a), asNumber(b), `${a.shown} × ${b.shown}`)
    if (verb === 'divide') return combine('divide', asNumber(a), asNumber(b), `${a.shown} ÷ ${b.shown}`)
    if (verb === 'difference' && isLess(a, b)) return change('-', b, a)
    if (verb === 'difference' || verb === 'decrease') return change('-', a, b)
    if (verb === 'subtract')
      return joined === 'by' || joined === 'and' ? change('-', a, b) : change('-', b, a)
    return a.isPercent ? change('+', b, a) : change('+', a, b)
  }
  /** “add 2, 3 and 4”. */
  const addMore = (verb: Verb, first: Operand): Operand | null => {
    let all: Operand | null = first
    while (all && (verb === 'add' || verb === 'multiply') && takeLink('and')) {
      const next = product()
      all = next && apply(verb, 'and', all, next)
    }
    return all
  }

  return {
    readAll: (): Operand | null => {
      const result = sum()
      if (!result || at !== items.length) return null
      return result.isPercent ? null : result
    },
  }
}

/** Returns whether a number is smaller, because a difference is stated as a distance in either order. */
const isLess = (a: Operand, b: Operand) =>
  !a.ref.startsWith('#') && !b.ref.startsWith('#') && !b.isPercent && Number(a.ref) < Number(b.ref)

const negate = (digits: string) => (digits.startsWith('-') ? digits.slice(1) : `-${digits}`)

const raisedDigits: Record<string, string> = Object.fromEntries(
  [...'⁰¹²³⁴⁵⁶⁷⁸⁹'].map((raised, digit) => [String(digit), raised]),
)

function writePower(base: string, exponent: Operand): string {
  const isShort = /^-?\d{1,6}$/.test(exponent.ref)
  if (!isShort) return `${base}^${exponent.shown}`
  return base + exponent.ref.replace('-', '⁻').replace(/\d/g, (digit) => raisedDigits[digit] ?? digit)
}
