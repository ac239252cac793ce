import { setTimeout as sleep } from 'node:timers/promises'
import { Decimal } from 'decimal.js'
import { readHandover } from '../handover.ts'
import { type ModelCall, ModelError, type ModelPart, type StreamModel, type ToolResultPart } from '../port.ts'
import { sentenceFor } from '../wire/failures.ts'
import { continueFrom, fillOperand, findCalculations } from './arithmetic.ts'
import { writeBelief } from './belief.ts'
import { extractSummary } from './extract.ts'
import { fillInput, isSummaryWanted, splitTask, textToSummarise } from './intents.ts'
import { say } from './phrases.ts'
import { readResult } from './results.ts'
import { describeWeather, readWeather } from './weather.ts'
import { type Part, type Work, workThrough } from './work.ts'

const pieceMs = 6
/** What is read of one message: a summary of 20 pages is worth having, and reading them holds nobody else up. */
const mostRead = 50_000
/** Words are counted in so much of a conversation; what is longer is estimated from it. */
const mostCounted = 100_000

/**
 * The built-in model: no key, no download, nothing invented. It calls the tools it recognises a need for,
 * extracts sentences from texts it is given, and otherwise says what it can do and how to connect a model.
 */
export const offlineModel: StreamModel = async (call, signal, give) => {
  signal.throwIfAborted()
  const task = readTask(call)
  const output = call.output ? writeOutput(call, task.text) : null
  const work = workThrough(task.text, toolsOf(call), task.results)
  const toolCall = output === null ? chooseTool(call, task, work) : null
  const text = output ?? (toolCall ? '' : (task.given ?? answerInFull(task, work)))
  for (const piece of text.match(/\S+\s*|\s+/g) ?? []) {
    give({ type: 'text', text: piece })
    await sleep(pieceMs, undefined, { signal })
  }
  if (toolCall) give(toolCall)
  give({ type: 'usage', ...countUsage(call, text) })
  give({ type: 'finish', reason: toolCall ? 'tool-calls' : 'stop' })
}

type Task = {
  text: string
  results: ToolResultPart[]
  language: 'en' | 'fr'
  /** The message was longer than what is read of it. */
  isCut: boolean
  /** An answer that only has to be put together from what was found before. */
  given: string | null
}

/** The newest thing a person said and what the tools answered since. */
function readTask(call: ModelCall): Task {
  const start = call.messages.findLastIndex((message) => message.role === 'user')
  const message = call.messages[start]
  const text =
    message?.role === 'user'
      ? message.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
      : ''
  const results = call.messages
    .slice(start + 1)
    .flatMap((later) => (later.role === 'tool' ? later.content : []))
  const handover = readHandover(text)
  const language = call.language ?? 'en'
  const { step, results: known = [] } = handover ?? {}
  const asked = step ? step.task : text
  const read = asked.slice(0, mostRead)
  return {
    text: step ? continueFrom(read, known.at(-1)?.text ?? '') : read,
    results,
    language,
    isCut: asked.length > mostRead,
    given: handover && !step ? listTexts(known.map((result) => result.text)) : null,
  }
}

/** One text speaks for itself; several are listed in their order. */
function listTexts(given: string[]): string {
  const texts = given.map((text) => text.trim()).filter(Boolean)
  if (texts.length < 2) return texts.join()
  if (texts.every((text) => !text.includes('\n'))) return texts.map((text) => `- ${text}`).join('\n')
  return texts.join('\n\n')
}

/** The tools that may be called: the one a person chose, else all that are offered. */
function toolsOf({ tools, tool_choice }: ModelCall) {
  return typeof tool_choice === 'object' ? tools.filter(({ name }) => name === tool_choice.name) : tools
}

function chooseTool(call: ModelCall, { text, results, given }: Task, { next }: Work): ModelPart | null {
  if (given !== null || call.tool_choice === 'none' || results.some((result) => result.is_error)) return null
  const id = `call_${results.length + 1}`
  if (next) return { type: 'tool-call', id, name: next.tool, input: JSON.stringify(next.input) }
  const [tool] = toolsOf(call)
  const isForced = typeof call.tool_choice === 'object' || call.tool_choice === 'required'
  const mustCall = results.length === 0 && isForced
  return mustCall && tool
    ? { type: 'tool-call', id, name: tool.name, input: JSON.stringify(fillInput(tool, text)) }
    : null
}

/** The answer, and what was not looked at for it. */
function answerInFull(task: Task, work: Work): string {
  const said = answer(task, work)
  const count = new Intl.NumberFormat(task.language).format(mostRead)
  return task.isCut ? `${said}\n\n${say(task.language, 'cut', count)}` : said
}

function answer({ text, results, language }: Task, { parts }: Work): string {
  if (results.length > 0) return listTexts(parts.map((part) => answerPart(part, language)))
  if (!isSummaryWanted(text)) return say(language, 'about')
  const sentences = extractSummary(textToSummarise(text))
  if (sentences.length === 0 || textToSummarise(text) === text) return say(language, 'nothing')
  return [say(language, 'summary'), '', ...sentences.map((sentence) => `- ${sentence}`)].join('\n')
}

/** What came of a part; one that nothing was called for is named. */
function answerPart({ asked, text, results }: Part, language: 'en' | 'fr'): string {
  const failed = results.find((result) => result.is_error)
  if (failed) return say(language, 'failed', readResult(failed))
  if (results.length > 0) return answerFromResults(text, results, language)
  return say(language, 'undone', asked.replace(/(?<![\s.?!])[\s.?!]+$/, ''))
}

const signs = { add: '+', subtract: '−', multiply: '×', divide: '÷' } as const

function answerFromResults(text: string, results: ToolResultPart[], language: 'en' | 'fr'): string {
  const values = results.map(readResult)
  const conditions = values.flatMap((value, at) =>
    results[at]?.name === 'weather' ? readWeather(value) : [],
  )
  if (conditions.length === values.length)
    return conditions.map((weather) => describeWeather(weather, language)).join('\n')
  const calculations = results.every((result) => result.name === 'calculator') ? findCalculations(text) : null
  if (!calculations)
    return [say(language, 'result'), '', ...values.map((value) => `\`\`\`json\n${value}\n\`\`\``)].join('\n')
  const lines = calculations.slice(0, values.length).map(({ a, b, operation }, i) => {
    const [left, right, result] = [fillOperand(a, values), fillOperand(b, values), values[i] ?? ''].map(
      shorten,
    )
    const is = result === values[i] ? '=' : '≈'
    const line = `${left} ${signs[operation]} ${right} ${is} **${result}**`
    return language === 'fr' ? line.replaceAll('.', ',') : line
  })
  return lines.length === 1 ? `${lines[0]}.` : lines.map((line) => `- ${line}`).join('\n')
}

/** Whole numbers in full, endless fractions to twelve digits. */
function shorten(value: string): string {
  const number = new Decimal(value)
  return number.isInteger() ? number.toFixed() : number.toSignificantDigits(12).toFixed()
}

function writeOutput(call: ModelCall, text: string): string {
  const belief = call.output?.name === 'belief' ? writeBelief(text) : null
  if (belief) return JSON.stringify(belief)
  if (call.output?.name !== 'plan') throw new ModelError('not_available', sentenceFor('not_available'))
  const steps = splitTask(text).map(({ description, follows }, i) => {
    return { number: i + 1, description, after: follows ? [i] : [] }
  })
  return JSON.stringify({ steps })
}

/** Words and signs, counted here: this model has no tokenizer. */
function countUsage(call: ModelCall, answered: string) {
  const given = JSON.stringify(call.messages)
  return {
    input_tokens: countWords(given),
    output_tokens: Math.max(countWords(answered), 1),
    cached_tokens: 0,
    reasoning_tokens: 0,
    estimated: Math.max(given.length, answered.length) > mostCounted,
  }
}

function countWords(text: string): number {
  const counted = text.slice(0, mostCounted)
  const count = counted.match(/[\p{L}\p{N}]+|[^\s\p{L}\p{N}]/gu)?.length ?? 0
  return Math.round(count * Math.max(1, text.length / mostCounted))
}
