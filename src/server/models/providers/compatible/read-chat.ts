import type { ModelPart, Usage } from '../../models/port.ts'
import { ECHOED_THOUGHT, ModelError } from '../../models/port.ts'
import { createAllowance } from '../../models/wire/allowance.ts'
import type { WireReader } from '../../models/wire/dialect.ts'
import { isErrorEvent } from '../../models/wire/error-words.ts'
import { failureInStream, sentenceFor } from '../../models/wire/failures.ts'
import { readFinish } from '../../models/wire/finish-words.ts'
import { isJson } from '../../models/wire/json-input.ts'
import { contentParts, textIn } from './chat-texts.ts'
import { createThoughtCollector } from './chat-thoughts.ts'
import { readUsage, type WireUsage } from './chat-usage.ts'
import { createCallCollector, type Fragment, fragmentsOf } from './collect-calls.ts'
import { fromOwnApi } from './other-chunks.ts'

/** A source of an answer, sent by servers that search the web. */
type Annotation = { type?: string; url_citation?: { url?: unknown; title?: unknown } | null }
type Delta = {
  content?: unknown
  refusal?: unknown
  reasoning_content?: unknown
  reasoning?: unknown
  reasoning_text?: unknown
  thinking?: unknown
  reasoning_details?: unknown
  tool_calls?: unknown
  /** The field of older servers, for one call. */
  function_call?: Fragment['function'] | null
  annotations?: unknown
}
type Choice = {
  index?: number | string | null
  delta?: Delta | null
  message?: Delta | null
  /** Only in text completions, which a few servers send. */
  text?: string
  finish_reason?: unknown
  error?: unknown
  usage?: WireUsage | null
}
type Chunk = {
  error?: unknown
  choices?: Choice[] | null
  usage?: WireUsage | null
  x_groq?: { usage?: WireUsage; error?: unknown } | null
}

/** Reads an answer of chat completions. */
export function createChatReader(_call?: unknown, allowance = createAllowance()): WireReader {
  const calls = createCallCollector(allowance)
  const thoughts = createThoughtCollector(allowance)
  let usage: Usage | null = null
  let finish: unknown = null
  let hasAnswered = false
  let hasText = false
  let hasThought = false
  let hasDeltas = false
  /** The last chunk has only the usage. */
  let isLast = false

  const readThoughts = (delta: Delta, parts: ModelPart[]) => {
    const { reasoning_content, reasoning, reasoning_text, thinking, reasoning_details } = delta
    if (reasoning_details) thoughts.add(reasoning_details)
    const given = reasoning_content || reasoning || reasoning_text || thinking || reasoning_details
    const text = given ? textIn(given) : ''
    if (!text) return
    const isFirst = !hasThought && reasoning_content
    parts.push(isFirst ? { type: 'reasoning', text, metadata: ECHOED_THOUGHT } : { type: 'reasoning', text })
    hasThought = true
  }
  const readCalls = ({ function_call, tool_calls }: Delta, isWhole: boolean) => {
    if (function_call) calls.add({ index: 0, function: function_call }, isWhole)
    if (tool_calls) for (const fragment of fragmentsOf(tool_calls)) calls.add(fragment, isWhole)
  }

  return {
    read(event) {
      const chunk: Chunk = fromOwnApi(event) ?? (event as Chunk)
      const choice = chunk.choices?.find((one) => one && !Number(one.index))
      const failure = failureIn(chunk, choice)
      if (failure) throw failureInStream(failure)
      usage = readUsage(chunk.usage ?? choice?.usage ?? chunk.x_groq?.usage) ?? usage
      isLast = chunk.choices?.length === 0 && usage !== null
      if (!choice) return []
      finish = choice.finish_reason || finish
      const parts: ModelPart[] = []
      const isWhole = choice.message !== undefined && !hasContent(choice.delta)
      // A few servers repeat the whole answer at its end.
      if (isWhole && hasDeltas) return []
      hasDeltas ||= hasContent(choice.delta)
      const delta = (isWhole ? choice.message : choice.delta) ?? { content: choice.text }
      readCalls(delta, isWhole)
      readThoughts(delta, parts)
      const { content, refusal } = delta
      if (content || content === 0) parts.push(...contentParts(content))
      if (refusal) parts.push(...contentParts(refusal))
      for (const annotation of [delta.annotations].flat()) {
        const { url, title } = (annotation as Annotation | null | undefined)?.url_citation ?? {}
        if (typeof url === 'string')
          parts.push({ type: 'source', url, title: typeof title === 'string' ? title : null })
      }
      hasAnswered ||= parts.length > 0
      hasText ||= parts.some(({ type }) => type === 'text')
      return parts
    },
    end(ending) {
      const called = calls.all()
      const hasSaid = hasText || called.length > 0
      // A few servers send no reason but another mark of the end, or none; half a tool call shows that it is none.
      const isWhole =
        (ending === 'marked' || isLast ? hasAnswered || called.length > 0 : ending === 'closed' && hasSaid) &&
        called.every(({ input }) => isJson(input))
      if (finish === null && isWhole) finish = 'stop'
      if (finish === null) throw new ModelError('interrupted', sentenceFor('interrupted'))
      const reason = readFinish(finish)
      if (!hasAnswered && called.length === 0 && !usage && reason !== 'content-filter')
        throw new ModelError('invalid_answer', sentenceFor('invalid_answer', 'it was empty'))
      return [
        ...thoughts.end(),
        ...called,
        ...(usage ? [{ type: 'usage' as const, ...usage }] : []),
        { type: 'finish', reason: called.length > 0 && reason === 'stop' ? 'tool-calls' : reason },
      ]
    },
  }
}

const hasContent = (delta: Delta | null | undefined): boolean =>
  Boolean(delta && (delta.content || delta.tool_calls))

/** Returns the error in a chunk; undefined without one. */
function failureIn(chunk: Chunk, choice: Choice | undefined): unknown {
  const named = [chunk.error, choice?.error, chunk.x_groq?.error].find(isError)
  if (named !== undefined) return named === true ? chunk : named
  return choice === undefined && isErrorEvent(chunk) ? chunk : undefined
}

/** Servers send empty errors with every chunk. */
const isError = (error: unknown) =>
  Boolean(error) && (typeof error !== 'object' || Object.keys(error as object).length > 0)
