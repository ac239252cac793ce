import { AppError } from '#shared/platform/errors.ts'
import type { Language } from '#shared/platform/primitives.ts'
import { sayFailure } from '../phrases.ts'
import type { Answer } from '../skills/skill.ts'
import { shorten, writeNumber } from '../words/numerals.ts'
import type { Calculation, Sums } from './read-sums.ts'
import { workOut } from './work-out.ts'

/** Returns the operand, or the result that it refers to as `#n`. */
export const fillOperand = (operand: string, results: string[]): string =>
  operand.startsWith('#') ? (results[Number(operand.slice(1))] ?? operand) : operand

/** Returns whether the calculator supports every operation. */
export const isForCalculator = ({ calculations }: Sums) =>
  calculations.every(({ operation }) => operation !== 'power' && operation !== 'root')

/** Answers sums from the known results, and calculates the missing ones. */
export function answerSums(sums: Sums, known: string[], language: Language): Answer {
  const values = [...known]
  try {
    for (const { operation, a, b } of sums.calculations.slice(values.length))
      values.push(workOut(operation, fillOperand(a, values), fillOperand(b, values)))
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { text: sayFailure(language, error.message) }
  }
  const lines = sums.sums.flatMap((sum) => tellSum(sum, sums.calculations, values, language))
  const text = lines.length === 1 ? `${lines[0]}.` : lines.map((line) => `- ${line}`).join('\n')
  return { text, number: values.at(-1) ?? '0' }
}

const signs = { add: '+', subtract: '−', multiply: '×', divide: '÷', power: '^', root: '√' } as const

/** Returns a line for each operation, or one line for a sum that is shown as it was asked: “15% of 240 = 36”. */
function tellSum(
  { from, to, shown, isPlain }: Sums['sums'][number],
  calculations: Calculation[],
  values: string[],
  language: Language,
): string[] {
  const end = (place: number) => {
    const { digits, isExact } = shorten(values[place] ?? '0')
    return `${isExact ? '=' : '≈'} **${writeNumber(digits, language)}**`
  }
  if (!isPlain) return [`${shown} ${end(to - 1)}`]
  const write = (operand: string) => writeNumber(shorten(fillOperand(operand, values)).digits, language)
  return calculations
    .slice(from, to)
    .map(({ operation, a, b }, at) => `${write(a)} ${signs[operation]} ${write(b)} ${end(from + at)}`)
}
