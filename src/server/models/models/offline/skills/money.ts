import { Decimal } from 'decimal.js'
import { say } from '../phrases.ts'
import { writeNumber, writePercent } from '../words/numerals.ts'
import { type Token, wordAt } from '../words/tokens.ts'
import { type Currency, findCurrency, writeMoney } from '../words/write-money.ts'
import type { Answer, Question } from './skill.ts'

const MAX_TOKENS = 50

/** Answers questions for change, shares of a bill, tips, discounts, taxes, and the price of several pieces. */
export function answerMoney({ tokens, language }: Question): Answer | null {
  if (tokens.length === 0 || tokens.length > MAX_TOKENS) return null
  const words = new Set(tokens.flatMap((token) => (token.kind === 'word' ? [token.word] : [])))
  const numbers = tokens.flatMap((token, at) =>
    token.kind === 'number' ? [{ at, value: new Decimal(token.value) }] : [],
  )
  // « un pull » is one pullover, so this 1 is not an amount.
  const amounts = numbers.length > 2 ? numbers.filter(({ value }) => !value.equals(1)) : numbers
  const bill: Bill = { tokens, language, words, numbers: amounts, currency: findCurrency(tokens) }
  return giveChange(bill) ?? split(bill) ?? addPercent(bill) ?? multiply(bill)
}

type Amount = { at: number; value: Decimal }
type Bill = {
  tokens: Token[]
  language: Question['language']
  words: Set<string>
  numbers: Amount[]
  currency: Currency | null
}

const has = (words: Set<string>, list: string) => list.split(' ').some((word) => words.has(word))
const pay = (value: Decimal, { currency, language }: Bill) => writeMoney(value, currency, language)

/** Answers “the change from 100 for 3 × 24.90”: the rest of the amount that was paid. */
function giveChange(bill: Bill): Answer | null {
  const { tokens, words, numbers, language } = bill
  const isAsked =
    has(words, 'change monnaie') || (has(words, 'rend rends rendre rendez') && has(words, 'combien'))
  const isPaid = has(
    words,
    'for pour cost costs coûte coûtent pay paid pays paie payer payé achat achète if spend owe back get rendre rend',
  )
  if (!isAsked || !isPaid || has(words, 'to into percent percentage')) return null
  const paid = numbers.find(({ at }) => before(tokens, at, 'from of sur with avec d de')) ?? numbers[0]
  const priced = numbers.filter((amount) => amount !== paid)
  const price = total(bill, priced)
  if (!paid || !price) return null
  const left = paid.value.minus(price.value)
  const shown = `${pay(paid.value, bill)} − ${price.shown} = ${pay(left, bill)}`
  if (left.isNegative()) return { text: say(language, 'missing', pay(left.abs(), bill), shown) }
  return { text: say(language, 'change', pay(left, bill), shown), number: left.toFixed() }
}

/** Returns a price, a count times a price, or the sum of prices. */
function total(bill: Bill, amounts: Amount[]): { value: Decimal; shown: string } | null {
  const [first, second] = amounts
  if (!first) return null
  if (!second) return { value: first.value, shown: pay(first.value, bill) }
  const between = bill.tokens.slice(first.at + 1, second.at)
  const isTimes = between.some(
    (token) =>
      (token.kind === 'sign' && token.sign === '*') ||
      (token.kind === 'word' && ['x', 'times', 'fois', 'at', 'à', 'for'].includes(token.word)),
  )
  if (isTimes && amounts.length === 2 && first.value.isInteger()) {
    const shown = `${writeNumber(first.value.toFixed(), bill.language)} × ${pay(second.value, bill)}`
    return { value: first.value.times(second.value), shown }
  }
  if (isTimes || amounts.length > 10) return null
  const value = amounts.reduce((sum, amount) => sum.plus(amount.value), new Decimal(0))
  return { value, shown: `(${amounts.map((amount) => pay(amount.value, bill)).join(' + ')})` }
}

const before = (tokens: Token[], at: number, list: string) => {
  const skips = tokens[at - 1]?.kind === 'sign' || ['a', 'un', 'une'].includes(wordAt(tokens, at - 1)) ? 2 : 1
  return list.split(' ').includes(wordAt(tokens, at - skips))
}

/** Answers “split 90 between 4”. */
function split(bill: Bill): Answer | null {
  const { words, numbers, tokens, language } = bill
  const [first, second] = numbers
  if (numbers.length !== 2 || !first || !second) return null
  if (
    !has(
      words,
      'split share shared divide partage partager partagez partagé répartis répartir diviser divise divisez',
    )
  )
    return null
  const isCount = ({ at }: Amount) =>
    before(tokens, at, 'between among amongst entre with') ||
    has(new Set([wordAt(tokens, at + 1)]), 'people persons friends ways personnes amis parts parties')
  const count = numbers.find(isCount)
  if (!count?.value.isInteger() || count.value.lessThan(1)) return null
  const whole = count === first ? second.value : first.value
  const each = whole.dividedBy(count.value)
  const sign = each.equals(each.toDecimalPlaces(2)) ? '=' : '≈'
  const shown = `${pay(whole, bill)} ÷ ${writeNumber(count.value.toFixed(), language)} ${sign} ${pay(each, bill)}`
  return { text: say(language, 'each', pay(each, bill), shown), number: each.toFixed() }
}

const LESS = 'off discount reduction reduced rabais remise réduction solde soldes cheaper rebate promotion'
const MORE = 'tip tips pourboire vat tva tax taxe taxes gratuity service'

/** Subtracts a percentage from a price or adds it. A tip is also stated separately. */
function addPercent(bill: Bill): Answer | null {
  const { words, numbers, tokens, language } = bill
  const isPercent = ({ at }: Amount) => {
    const next = tokens[at + 1]
    return next?.kind === 'sign' && next.sign === '%'
  }
  const percent = numbers.find(isPercent)
  const price = numbers.find((amount) => amount !== percent)
  const [isLess, isMore] = [has(words, LESS), has(words, MORE)]
  if (!percent || !price || numbers.length !== 2 || isLess === isMore || isPercent(price)) return null
  if (
    has(words, 'without excluding included including incluse inclus hors sans ht ttc of') &&
    !has(words, 'tip tips pourboire')
  )
    return null
  const share = price.value.times(percent.value).dividedBy(100)
  const sum = isLess ? price.value.minus(share) : price.value.plus(share)
  const [whole, part, all] = [price.value, share, sum].map((value) => pay(value, bill))
  if (has(words, 'tip tips pourboire gratuity'))
    return { text: say(language, 'tip', part ?? '', all ?? ''), number: share.toFixed() }
  const rate = writePercent(writeNumber(percent.value.toFixed(), language), language)
  const sign = sum.equals(sum.toDecimalPlaces(2)) ? '=' : '≈'
  return { text: `${whole} ${isLess ? '−' : '+'} ${rate} ${sign} **${all}**.`, number: sum.toFixed() }
}

/** Answers “How much are 3 tickets at 12.50 each?” */
function multiply(bill: Bill): Answer | null {
  const { words, numbers, tokens } = bill
  const [count, price] = numbers
  if (numbers.length !== 2 || !count?.value.isInteger() || !price) return null
  const isEach =
    has(words, 'each apiece chacun chacune pièce unité') ||
    (bill.currency !== null && has(words, 'cost much combien coûtent total'))
  if (!isEach || !before(tokens, price.at, 'at à for cost costs coûte coûtent')) return null
  const sum = total(bill, [count, price])
  const value = count.value.times(price.value)
  return { text: `${sum?.shown} = **${pay(value, bill)}**.`, number: value.toFixed() }
}
