import type {
  FinishReason,
  GivePart,
  ModelCall,
  ModelPart,
  ReasoningPart,
  ToolCallPart,
  Usage,
} from '../port.ts'
import { countTicks } from './calls/code-spans.ts'
import { createEndTrimmer } from './calls/end-marks.ts'
import { findMark, mayOpenInFence, openMark } from './calls/find-mark.ts'
import { createThoughtSplitter, type Spoken } from './calls/inline-thoughts.ts'
import { CALL_KEYS } from './calls/json-calls.ts'
import { findTool, repairCalls } from './calls/repair-call.ts'
import { ACTION, readWrittenCalls } from './calls/written-calls.ts'
import type { FittedTools } from './tool-schemas/fit-tools.ts'

/** Maximum characters that are held back of a text that may be a call. */
const MAX_HELD = 100_000
/** An answer that begins like JSON is a call only if its first characters say so. */
const JSON_OPENING = /^\s*(?:```\w*\s*)?[[{]/
const LOOKED_AT = 120

/** The result of an answer. `not_offered` means that it only calls tools that may not be called now. */
export type Outcome = 'answered' | 'empty' | 'not_offered'

/**
 * Reads one answer: separates thoughts, reads calls written as text, repairs names and arguments, and drops blanks before the first
 * word. Usage and the finish are held back until `end`.
 */
export function createAnswerReader(
  call: Pick<ModelCall, 'tool_choice' | 'tools' | 'output'>,
  fitted: FittedTools,
  { startsInThought }: { startsInThought: boolean },
  give: GivePart,
) {
  const splitter = createThoughtSplitter(startsInThought)
  const mayCall = call.tool_choice !== 'none' && call.tools.length > 0
  const seen = {
    text: false,
    calls: [] as ToolCallPart[],
    usage: null as Usage | null,
    finish: null as FinishReason | null,
  }
  let thoughts = ''
  let held = ''
  /** The character before what is held, and the backticks before it. */
  const before = { previous: '\n', ticks: 0 }
  let isHolding = false
  /** The line of a held action was read. */
  let isActionRead = false

  const trimmer = createEndTrimmer()
  const show = (text: string) => {
    const words = seen.text ? text : text.trimStart()
    if (words === '') return
    seen.text = true
    give({ type: 'text', text: words })
  }
  const say = (text: string) => show(trimmer.push(text))
  const think = (part: ReasoningPart) => {
    thoughts += part.text
    give(part)
  }
  const hold = (length: number) => {
    isHolding = true
    isActionRead = false
    if (length > 0) pass(length)
  }
  const readText = (text: string) => {
    held += text
    if (call.tools.length === 0 || held.length > MAX_HELD) return release()
    // Only the beginning of a held text is searched, so that the cost of a long answer stays linear.
    if (isHolding && !isActionRead) {
      isActionRead = held.length > 2 * LOOKED_AT
      if (!isPlainAction(held, fitted.tools)) return
      isHolding = false
      pass(ACTION.length)
    }
    if (isHolding) return
    // JSON that the caller asked for is no call.
    if (!seen.text && !call.output && mayBeCall(held, fitted.tools)) {
      if (held.length > LOOKED_AT) hold(0)
      return
    }
    const at = findMark(held, before)
    if (at >= 0) return hold(at)
    pass(held.length - openMark(held, before))
  }
  const pass = (length: number) => {
    const said = held.slice(0, length)
    say(said)
    before.ticks += countTicks(said)
    // Blanks before the answer are no part of its first line.
    if (seen.text) before.previous = said.at(-1) ?? before.previous
    held = held.slice(length)
  }
  const release = () => {
    isHolding = false
    pass(held.length)
  }
  const hear = (spoken: Spoken[]) => {
    for (const part of spoken) {
      if (part.type === 'text') readText(part.text)
      else if (part.type === 'reasoning') think(part)
      else if (part.type === 'retold') give(part)
      else {
        held = ''
        seen.text = false
        give(part)
      }
    }
  }
  const readHeld = () => {
    const calls = held.trim() ? readWrittenCalls(held, fitted.tools) : null
    if (!calls) return release()
    // A few servers parse a call and send its text as well.
    const parsed = new Set(seen.calls.map(markOf))
    seen.calls.push(...calls.filter((call) => !parsed.has(markOf(call))))
    held = ''
  }
  /** Some models call within their thoughts, and end without an answer. */
  const readThoughts = () => {
    const at = findMark(thoughts, { previous: '\n', ticks: 0 })
    if (!mayCall || seen.text || seen.calls.length > 0 || at < 0) return
    seen.calls.push(...(readWrittenCalls(thoughts.slice(at), fitted.tools) ?? []))
  }
  const giveCalls = () => {
    for (const one of seen.calls) give(fitted.back(one))
  }
  return {
    take: (part: ModelPart): void => {
      if (part.type === 'text') hear(splitter.push(part.text))
      else if (part.type === 'tool-call') seen.calls.push(...repairCalls(part, fitted.tools))
      else if (part.type === 'usage') seen.usage = part
      else if (part.type === 'finish') seen.finish = part.reason
      else if (part.type === 'reasoning') {
        if (part.text !== '') splitter.separated()
        think(part)
      } else give(part)
    },
    /** Returns whether text was emitted, after which the call cannot be retried. */
    hasBegun: () => seen.text,
    startedInThought: splitter.startedInThought,
    answeredPlainly: splitter.answeredPlainly,
    /** Reads what was held back. Emits the calls unless none may be made now. */
    end: (): Outcome => {
      hear(splitter.end())
      readHeld()
      show(trimmer.end())
      readThoughts()
      // A few servers announce a call that never comes.
      const named = seen.calls.filter(({ name }) => name.trim() !== '')
      if (seen.text || named.length > 0) seen.calls = named
      if (seen.calls.length > 0 && mayCall) {
        giveCalls()
        return 'answered'
      }
      if (seen.text) return 'answered'
      return seen.calls.length > 0 ? 'not_offered' : 'empty'
    },
    /** Emits the thoughts as the answer: some servers take a whole answer for a thought, because its end is not marked. */
    answerWithThoughts: (): boolean => {
      if (thoughts.trim() !== '') give({ type: 'retold' })
      say(thoughts)
      show(trimmer.end())
      return seen.text
    },
    usage: () => seen.usage,
    finish: (): FinishReason | null => {
      if (seen.finish !== 'stop' && seen.finish !== 'tool-calls') return seen.finish
      // Servers mistake the two reasons for each other.
      return seen.calls.length > 0 && mayCall ? 'tool-calls' : 'stop'
    },
  }
}

const markOf = ({ name, input }: ToolCallPart) => `${name} ${input}`

/** Returns whether an answer so far may be the beginning of a code fence, whose content is still to come. */
const isOpenFence = (text: string): boolean => /^\s*(?:`{1,2}|```\w{0,20}\s*)$/.test(text)

/** Returns whether an answer so far may consist of calls: JSON, Python, or marks in a code fence. */
const mayBeCall = (text: string, tools: FittedTools['tools']): boolean =>
  isOpenFence(text) || mayOpenInFence(text) || mayBePython(text, tools) || mayBeJson(text, tools)

const mayBeJson = (text: string, tools: FittedTools['tools']): boolean =>
  JSON_OPENING.test(text) && (!isPlainJson(text) || callsInPython(text, tools))

/** Returns whether a text opens with a call of a tool, such as `[add(`. */
const callsInPython = (text: string, tools: FittedTools['tools']): boolean => {
  const name = /^\s*\[\s*([\w.-]{1,100})\(/.exec(text)?.[1]
  return name !== undefined && findTool(name, tools) !== undefined
}

/** Returns whether an answer so far may be a bare call of a tool, such as `add(a=6)` or `add{"a":6}`. */
const mayBePython = (text: string, tools: FittedTools['tools']): boolean => {
  const [, name = '', bracket] = /^\s*(?:print\()?([\w.-]{1,100})(\(|\s*\{)?/.exec(text) ?? []
  if (bracket) return findTool(name, tools) !== undefined
  return text.trim() === name && tools.some((tool) => tool.name.startsWith(name))
}

/** Returns whether a line that begins with the mark of ReAct names no tool. */
const isPlainAction = (text: string, tools: FittedTools['tools']): boolean => {
  if (!text.startsWith(ACTION)) return false
  const [line = '', ...others] = text.slice(ACTION.length).trimStart().split('\n', 2)
  if (/^[`[{]/.test(line)) return false
  const [name = '', ...input] = line.split(/[[(]/, 2)
  if (others.length + input.length > 0) return findTool(name.trim(), tools) === undefined
  return /\S\s+\S/.test(line) || line.length > LOOKED_AT
}

const isPlainJson = (text: string): boolean =>
  text.length > LOOKED_AT && !CALL_KEYS.test(text.slice(0, LOOKED_AT))
