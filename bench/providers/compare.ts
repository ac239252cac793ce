import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Reading } from './read-answer.ts'
import type { Expected, RawUsage, Recording } from './recordings.ts'

/** Returns the differences between a reading and its recording, one line each; empty when it is exact. */
export function compare(folder: string, recording: Recording, reading: Reading): string[] {
  if (recording.status >= 300) return reading.error ? [] : [`HTTP ${recording.status} was not reported`]
  if (!recording.expect) return compareWhole(readFileSync(join(folder, recording.file), 'utf8'), reading)
  return [...compareAnswer(recording, reading), ...compareRest(recording.expect, reading)]
}

/** Compares text, tool calls, and whether a failure is reported as one. */
export function compareAnswer({ tags, expect }: Recording, reading: Reading): string[] {
  if (!expect) return []
  const differs: string[] = []
  const mustFail = isFailure(tags, expect)
  if (mustFail !== (reading.error !== null))
    differs.push(mustFail ? 'the failure was not reported' : `it failed: ${reading.error}`)
  if (reading.text !== expect.text)
    differs.push(`text: ${shorten(reading.text)} instead of ${shorten(expect.text)}`)
  return mustFail ? differs : [...differs, ...compareCalls(expect, reading)]
}

/** An answer that is not streamed: either its text is read, or it is reported as invalid. */
function compareWhole(body: string, { error, text, reasoning, tool_calls }: Reading): string[] {
  if (!carriesAnswer(JSON.parse(body))) return error ? [] : ['that it is no answer was not reported']
  if (error) return [error]
  // The body contains every text and tool name that was read.
  const pieces = [text, reasoning, ...tool_calls.map((call) => call.name)].filter(Boolean)
  if (pieces.length === 0) return ['nothing was read']
  const flat = textsOf(JSON.parse(body)).join('')
  return pieces.filter((piece) => !flat.includes(piece)).map((piece) => `not in the body: ${shorten(piece)}`)
}

type Whole = {
  error?: unknown
  status?: string
  content?: unknown[]
  choices?: unknown[]
  candidates?: unknown[]
  output?: unknown[]
  message?: unknown
}

function carriesAnswer(body: Whole): boolean {
  if (body.error) return false
  const { content, choices, candidates, output, message } = body
  return Boolean(message) || [content, choices, candidates, output].some((list) => list && list.length > 0)
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : []
}

const isFailure = (tags: string[], expected: Expected) =>
  expected.error !== undefined || tags.some((tag) => /stream-error|no-finish|truncated/.test(tag))

function compareCalls(expected: Expected, reading: Reading): string[] {
  const calls = expected.tool_calls.filter((call) => !call.server)
  // If arguments are streamed in pieces, the reference lists the pieces, so only the names can be compared.
  const inPieces = calls.some((call) => call.name === null)
  const show = (name: string | null, written: unknown) => (inPieces ? name : `${name} ${normal(written)}`)
  const wanted = calls.map((call) => show(call.name, call.arguments)).filter((call) => call !== null)
  const found = reading.tool_calls.map((call) => show(call.name, call.arguments))
  // A body of several answers: the reference keeps the last call of every place, so it can only be contained.
  const isSeries = (expected.finish ?? []).filter((reason) => reason === 'response.completed').length > 1
  const isSame = isSeries
    ? wanted.every((call) => found.includes(call))
    : wanted.join('\n') === found.join('\n')
  return isSame ? [] : [`tool calls: ${shorten(found.join(' | '))} instead of ${shorten(wanted.join(' | '))}`]
}

/** Compares reasoning, finish reason and usage of a successful answer. */
function compareRest(expected: Expected, reading: Reading): string[] {
  if (reading.error) return []
  const differs: string[] = []
  if (reading.reasoning !== (expected.reasoning ?? ''))
    differs.push(`thoughts: ${shorten(reading.reasoning)} instead of ${shorten(expected.reasoning ?? '')}`)
  const finish = finishOf(expected, reading.tool_calls.length > 0)
  if (finish && reading.finish !== finish) differs.push(`finish: ${reading.finish} instead of ${finish}`)
  const usage = expected.usage ? tokensOf(expected.usage) : {}
  const read: Partial<Tokens> = reading.usage ?? {}
  for (const name of ['input', 'output'] as const)
    if (usage[name] !== undefined && usage[name] !== read[name])
      differs.push(`${name} tokens: ${read[name]} instead of ${usage[name]}`)
  return differs
}

function finishOf({ finish }: Expected, hasCalls: boolean): string | null {
  const last = finish?.at(-1)?.toLowerCase()
  if (last === undefined) return null
  if (/length|max_tokens/.test(last)) return 'length'
  // Only Anthropic reports tool calls as a finish reason of its own.
  return /tool/.test(last) || (hasCalls && last !== 'end_turn') ? 'tool-calls' : 'stop'
}

type Tokens = { input: number; output: number }

/** Returns all input and output tokens in the recording; some providers count cached, tool and reasoning tokens separately. */
function tokensOf(usage: RawUsage): Partial<Tokens> {
  const all = usage.iterations ?? [usage as Record<string, number>]
  const sum = (names: string[]) => {
    const found = all
      .flatMap((one) => names.map((name) => one[name]))
      .filter((tokens) => tokens !== undefined)
    return found.length > 0 ? found.reduce((total, tokens) => total + tokens, 0) : undefined
  }
  return { input: sum(inputNames), output: sum(outputNames) }
}

const inputNames = [
  'prompt_tokens',
  'input_tokens',
  'cache_read_input_tokens',
  'cache_creation_input_tokens',
  'promptTokenCount',
  'toolUsePromptTokenCount',
]
const outputNames = ['completion_tokens', 'output_tokens', 'candidatesTokenCount', 'thoughtsTokenCount']

/** Compares arguments as values, because providers differ in white space. */
function normal(written: unknown): string {
  if (typeof written !== 'string') return JSON.stringify(written)
  try {
    return JSON.stringify(JSON.parse(written || '{}'))
  } catch {
    return written
  }
}

function shorten(text: string): string {
  return JSON.stringify(text.length > 120 ? `${text.slice(0, 60)}…${text.slice(-50)} (${text.length})` : text)
}
