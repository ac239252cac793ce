import { AppError } from '#shared/platform/errors.ts'
import { calculate } from '../../../../../tools/calculator/calculate.ts'
import { say, sayFailure } from '../phrases.ts'
import { shorten, writeNumber, writePercent } from '../words/numerals.ts'
import { wordAt } from '../words/tokens.ts'
import type { Answer, Question } from './skill.ts'

const asking = new Set(['what', 'which', 'quel', 'combien'])
const whole = new Set(['of', 'de', 'du', 'des'])

/** Answers “What percentage of 120 is 30?” and “30 is what percent of 120?” The number after “of” is the whole. */
export function answerShares({ tokens, language }: Question): Answer | null {
  const isAsked = tokens.some((token, at) => {
    const isPercent = token.kind === 'sign' && token.sign === '%' && tokens[at - 1]?.kind !== 'number'
    const isWord = ['percentage', 'pourcentage', 'pourcent'].includes(wordAt(tokens, at))
    return isPercent || isWord
  })
  if (!isAsked || !tokens.some((_, at) => asking.has(wordAt(tokens, at)))) return null
  const places = tokens.flatMap((token, at) => (token.kind === 'number' ? [at] : []))
  const wholeAt = places.find((at) => whole.has(wordAt(tokens, at - 1)))
  const partAt = places.find((at) => at !== wholeAt)
  const [part, all] = [tokens[partAt ?? -1], tokens[wholeAt ?? -1]]
  if (places.length !== 2 || part?.kind !== 'number' || all?.kind !== 'number') return null
  return compare(part.value, all.value, language)
}

function compare(part: string, all: string, language: Question['language']): Answer {
  try {
    const value = calculate(calculate(part, 'multiply', '100'), 'divide', all)
    const { digits, isExact } = shorten(value, 6)
    const percent = writePercent(writeNumber(digits, language), language)
    const written = [part, all].map((number) => writeNumber(number, language))
    const [shown = '', of = ''] = written
    return { text: say(language, isExact ? 'share' : 'share_about', shown, percent, of), number: value }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { text: sayFailure(language, error.message) }
  }
}
