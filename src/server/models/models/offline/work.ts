import type { Language } from '#shared/platform/primitives.ts'
import type { ToldPassage } from '../evidence.ts'
import type { ModelTool, ToolResultPart } from '../port.ts'
import { answerFromPassages } from './documents.ts'
import { findIntent, type Intent } from './intents.ts'
import { sayFailure } from './phrases.ts'
import { readResult, tellResults } from './results.ts'
import type { Answer, Question } from './skills/skill.ts'
import { answerBySkill, isSmallTalk } from './skills/skills.ts'
import { readTextWork } from './skills/texts.ts'
import { isUnit } from './skills/units.ts'
import { splitTask, type TaskPart } from './split.ts'
import { readSums, type Sums } from './sums/read-sums.ts'
import { answerSums, fillOperand, isForCalculator } from './sums/tell-sums.ts'
import { readLastNumber } from './words/numerals.ts'
import { readTokens } from './words/tokens.ts'

/** One part of a question. `answer` is null when the part was not done. */
export type Part = { asked: string; answer: Answer | null }
export type Work = { parts: Part[]; next: Intent | null }

export type Assignment = {
  text: string
  language: Language
  now: Date
  /** The user's time zone; null when it is unknown. */
  zone: string | null
  /** The previous answer, or the result of an earlier step. */
  earlier: string
  tools: ModelTool[]
  canCall: boolean
  /** Results of tools so far, in the order of the calls. */
  results: ToolResultPart[]
  /** Passages of documents to answer from. */
  passages: readonly ToldPassage[] | null
}

/**
 * Works through a task part by part. A part that follows another builds on its answer. No tool is called after a failure. A result
 * that no part requested belongs to a forced call and answers the whole.
 */
export function workThrough(assignment: Assignment): Work {
  const { text, language, now, zone, results } = assignment
  const parts: Part[] = []
  const left = [...results]
  let next: Intent | null = null
  let hasFailed = false
  for (const { description: asked, follows } of partsOf(text)) {
    const part: Part = { asked, answer: null }
    const last = parts.at(-1)
    parts.push(part)
    if (next || hasFailed) continue
    const known = last ? (follows ? last.answer : null) : { text: assignment.earlier }
    const before = known && readBefore(known, language)
    const tokens = readTokens(asked, language)
    const done = goOn({ text: asked, tokens, language, now, zone, before }, assignment, left)
    part.answer = done.answer
    next = done.next
    hasFailed = done.hasFailed
  }
  if (left.length > 0 && !next && !hasFailed)
    return { parts: [{ asked: text, answer: tellResults(results, language) }], next: null }
  return { parts, next }
}

function readBefore(answer: Answer, language: Language): Question['before'] {
  if (answer.text === '') return null
  return { text: answer.text, number: answer.number ?? readLastNumber(answer.text, language) }
}

type Done = { answer: Answer | null; next: Intent | null; hasFailed: boolean }
const answered = (answer: Answer | null): Done => ({ answer, next: null, hasFailed: false })

/** Consumes the results of a part from `left`, and returns its answer or its next call. */
function goOn(
  question: Question,
  { tools, canCall, language, passages }: Assignment,
  left: ToolResultPart[],
): Done {
  const failed = (result: ToolResultPart): Done => {
    const text = sayFailure(language, readResult(result))
    return { answer: { text }, next: null, hasFailed: true }
  }
  const intent = findIntent(question.text, tools)
  if (intent) {
    const result = left.shift()
    if (result) return result.is_error ? failed(result) : answered(tellResults([result], language))
    if (canCall) return { answer: null, next: intent, hasFailed: false }
  }
  // Documents never answer small talk or the time, whatever words they share.
  const read = passages && !isSmallTalk(question) && answerFromPassages(question.text, passages)
  if (read) return answered(read)
  const own = answerBySkill(question)
  if (own) return answered(own)
  const sums = findSums(question)
  if (!sums) return answered(null)
  const values: string[] = []
  if (isForCalculator(sums) && tools.some(({ name }) => name === 'calculator')) {
    while (left.length > 0 && values.length < sums.calculations.length) {
      const result = left.shift()
      if (result?.is_error) return failed(result)
      if (result) values.push(readResult(result))
    }
    const next = canCall ? nextCalculation(sums, values) : null
    if (next) return { answer: null, next, hasFailed: false }
  }
  return answered(answerSums(sums, values, language))
}

/** A complete sum does not refer to the previous answer. */
function findSums({ tokens, language, before }: Question): Sums | null {
  const isMeasured = (at: number) => isUnit(tokens, at)
  const own = readSums(tokens, language, null, isMeasured)
  return own ?? (before?.number ? readSums(tokens, language, before.number, isMeasured) : null)
}

function nextCalculation({ calculations }: Sums, values: string[]): Intent | null {
  const next = calculations[values.length]
  if (!next) return null
  const [a, b] = [next.a, next.b].map((operand) => asInput(fillOperand(operand, values)))
  return { tool: 'calculator', input: { a, b, operation: next.operation } }
}

/** Returns a number, or its digits where a double would lose some. */
const asInput = (digits: string): number | string => {
  const number = Number(digits)
  return Number.isSafeInteger(number) || digits.replace(/\D/g, '').length <= 15 ? number : digits
}

/** Splits a task into parts. Code and texts to work on stay whole. */
export function partsOf(text: string): TaskPart[] {
  if (text.includes('```') || readTextWork(text)) return [{ description: text, follows: false }]
  return splitTask(text)
}
