import { Decimal } from 'decimal.js'
import { shorten, writeNumber } from '../words/numerals.ts'
import { type Token, wordAt } from '../words/tokens.ts'
import type { Answer, Question } from './skill.ts'

const MAX_TOKENS = 60
const MAX_FACTORIAL = 170

/** Answers questions for averages, remainders and factorials. */
export function answerFigures({ tokens, language }: Question): Answer | null {
  if (tokens.length === 0 || tokens.length > MAX_TOKENS) return null
  const words = new Set(tokens.flatMap((token) => (token.kind === 'word' ? [token.word] : [])))
  const numbers = tokens.flatMap((token) => (token.kind === 'number' ? [new Decimal(token.value)] : []))
  const write = (value: Decimal) => writeNumber(shorten(value.toFixed()).digits, language)
  const tell = (shown: string, value: Decimal): Answer => {
    const { digits, isExact } = shorten(value.toFixed())
    return {
      text: `${shown} ${isExact ? '=' : '≈'} **${writeNumber(digits, language)}**.`,
      number: value.toFixed(),
    }
  }
  const [a, b] = numbers
  if (!a || ![...words].every((word) => FILLER.has(word))) return null
  if (['average', 'mean', 'moyenne'].some((word) => words.has(word)) && numbers.length > 1) {
    const sum = numbers.reduce((all, number) => all.plus(number), new Decimal(0))
    return tell(`(${numbers.map(write).join(' + ')}) ÷ ${numbers.length}`, sum.dividedBy(numbers.length))
  }
  if (b && numbers.length === 2 && !b.isZero() && ['mod', 'modulo'].some((word) => words.has(word)))
    return tell(`${write(a)} mod ${write(b)}`, a.minus(a.dividedBy(b).floor().times(b)))
  const isFactorial = words.has('factorial') || words.has('factorielle') || hasMark(tokens)
  if (
    !isFactorial ||
    numbers.length !== 1 ||
    !a.isInteger() ||
    a.isNegative() ||
    a.greaterThan(MAX_FACTORIAL)
  )
    return null
  return tell(`${write(a)}!`, factorial(a.toNumber()))
}

/** “5!” is a factorial only at the end of a text that starts with a word. */
const hasMark = (tokens: Token[]) => {
  const [number, mark] = tokens.slice(-2)
  return (
    number?.kind === 'number' &&
    mark?.kind === 'sign' &&
    mark.sign === '!' &&
    wordAt(tokens, 0) !== '' &&
    tokens.length > 2
  )
}

function factorial(of: number): Decimal {
  const Exact = Decimal.clone({ precision: 400 })
  let result = new Exact(1)
  for (let factor = 2; factor <= of; factor++) result = result.times(factor)
  return result
}

const FILLER = new Set(
  'what whats s is the of and average mean mod modulo factorial calculate compute please tell me find a moyenne factorielle quelle quel est la le l de du des d et combien fait font calcule'.split(
    ' ',
  ),
)
