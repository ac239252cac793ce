import type { FinishReason, ModelPart, ToolCallPart, Usage } from '../../models/port.ts'
import { ECHOED_THOUGHT, ModelError } from '../../models/port.ts'
import { type Allowance, createAllowance } from '../../models/wire/allowance.ts'
import type { WireReader } from '../../models/wire/dialect.ts'
import { failureInStream, sentenceFor } from '../../models/wire/failures.ts'
import { isJson } from '../../models/wire/json-input.ts'
import { createThoughtCollector, type ThoughtDetail } from './chat-thoughts.ts'

type Fragment = { index?: number | null; id?: string; function?: { name?: string; arguments?: unknown } }
/** A source of an answer, sent by servers that search the web. */
type Annotation = { type?: string; url_citation?: { url?: unknown; title?: unknown } | null }
type Delta = {
  content?: unknown
  refusal?: string | null
  reasoning_content?: string | null
  reasoning?: string | null
  reasoning_details?: ThoughtDetail[] | null
  tool_calls?: Fragment[] | null
  /** The field of older servers, for one call. */
  function_call?: Fragment['function'] | null
  annotations?: Annotation[] | null
}
type WireUsage = {
  prompt_tokens?: number
  completion_tokens?: number
  prompt_tokens_details?: { cached_tokens?: number; cache_write_tokens?: number } | null
  /** DeepSeek's word for cached tokens. */
  prompt_cache_hit_tokens?: number
  completion_tokens_details?: { reasoning_tokens?: number } | null
  /** OpenRouter: dollars. With a key of one's own it is the fee, and `cost_details` has what the provider behind it takes. */
  cost?: unknown
  is_byok?: boolean
  cost_details?: { upstream_inference_cost?: number | null } | null
}
type Chunk = {
  error?: unknown
  choices?: { delta?: Delta | null; message?: Delta; finish_reason?: string | null; error?: unknown }[]
  usage?: WireUsage | null
  x_groq?: { usage?: WireUsage; error?: unknown } | null
}

const finishReasons = new Map<unknown, FinishReason>([
  ['stop', 'stop'],
  ['eos', 'stop'],
  ['end_turn', 'stop'],
  ['tool_calls', 'tool-calls'],
  ['function_call', 'tool-calls'],
  ['length', 'length'],
  ['max_tokens', 'length'],
  ['model_length', 'length'],
  ['content_filter', 'content-filter'],
])

/** Reads an answer of chat completions. */
export function createChatReader(_call?: unknown, allowance = createAllowance()): WireReader {
  const calls = createCallCollector(allowance)
  const thoughts = createThoughtCollector(allowance)
  let usage: Usage | null = null
  let finish: string | null = null
  let hasAnswered = false
  let hasThought = false

  const readThoughts = (delta: Delta, parts: ModelPart[]) => {
    if (delta.reasoning_details) thoughts.add(delta.reasoning_details)
    const text = delta.reasoning_content || delta.reasoning
    if (typeof text !== 'string' || !text) return
    const isFirst = !hasThought && delta.reasoning_content
    parts.push(isFirst ? { type: 'reasoning', text, metadata: ECHOED_THOUGHT } : { type: 'reasoning', text })
    hasThought = true
  }

  return {
    read(event) {
      const chunk = event as Chunk
      const choice = chunk.choices?.[0]
      const failure = chunk.error ?? choice?.error ?? chunk.x_groq?.error
      if (failure) throw failureInStream(failure)
      usage = readUsage(chunk.usage ?? chunk.x_groq?.usage) ?? usage
      if (!choice) return []
      finish = choice.finish_reason || finish
      const parts: ModelPart[] = []
      const delta = choice.delta ?? choice.message ?? {}
      if (delta.function_call)
        calls.add({ index: 0, function: delta.function_call }, choice.message !== undefined)
      for (const fragment of delta.tool_calls ?? []) calls.add(fragment, choice.message !== undefined)
      readThoughts(delta, parts)
      readContent(delta, parts)
      for (const { url_citation } of delta.annotations ?? []) {
        const { url, title } = url_citation ?? {}
        if (typeof url === 'string')
          parts.push({ type: 'source', url, title: typeof title === 'string' ? title : null })
      }
      hasAnswered ||= parts.length > 0
      return parts
    },
    end(isMarked) {
      const called = calls.all()
      // A few servers send no reason but the mark of the end; half a tool call shows that it is none.
      const isWhole =
        isMarked && (hasAnswered || called.length > 0) && called.every(({ input }) => isJson(input))
      if (finish === null && isWhole) finish = 'stop'
      if (finish === null || finish === 'error')
        throw new ModelError('interrupted', sentenceFor('interrupted'))
      if (!hasAnswered && called.length === 0 && !usage)
        throw new ModelError('invalid_answer', sentenceFor('invalid_answer', 'it was empty'))
      const reason = finishReasons.get(finish) ?? 'other'
      return [
        ...thoughts.end(),
        ...called,
        ...(usage ? [{ type: 'usage' as const, ...usage }] : []),
        { type: 'finish', reason: called.length > 0 && reason === 'stop' ? 'tool-calls' : reason },
      ]
    },
  }
}

function readContent({ content, refusal }: Delta, parts: ModelPart[]): void {
  if (typeof content === 'string') {
    if (content) parts.push({ type: 'text', text: content })
  } else if (Array.isArray(content)) parts.push(...content.flatMap(readContentItem))
  if (refusal) parts.push({ type: 'text', text: refusal })
}

/** Mistral sends lists: text, and thinking that is a list again. */
function readContentItem(item: {
  type?: string
  text?: string
  thinking?: { text?: string }[] | string
}): ModelPart[] {
  if (item.type === 'thinking') {
    const thoughts = Array.isArray(item.thinking)
      ? item.thinking.map((thought) => thought.text ?? '').join('')
      : (item.thinking ?? '')
    return thoughts ? [{ type: 'reasoning', text: thoughts }] : []
  }
  return item.text ? [{ type: 'text', text: item.text }] : []
}

function createCallCollector(allowance: Allowance) {
  const calls: ToolCallPart[] = []
  const byIndex = new Map<number, ToolCallPart>()

  /** Fragments belong together by index; servers that send none, or one for all, mark a new call by id and name. */
  const find = ({ index, id, function: named }: Fragment): ToolCallPart | undefined => {
    const known = index == null ? calls.at(-1) : byIndex.get(index)
    if (!known) return undefined
    if (id && id !== known.id && (index == null || named?.name)) return undefined
    return named?.name && known.name && !id && isWholeCall(known) ? undefined : known
  }
  return {
    all: () => calls,
    /** `isWhole`: the fragment is a call of its own, from an answer that was not streamed. */
    add(fragment: Fragment, isWhole: boolean): void {
      const known = isWhole ? undefined : find(fragment)
      const id = fragment.id || `call_${calls.length + 1}`
      const call = known ?? { type: 'tool-call' as const, id, name: '', input: '' }
      if (!known) calls.push(call)
      if (fragment.index != null) byIndex.set(fragment.index, call)
      const { name, arguments: written } = fragment.function ?? {}
      if (name) call.name = joinName(call.name, name)
      const before = call.input.length
      if (typeof written === 'string') call.input += written
      else if (written) call.input = JSON.stringify(written)
      allowance.call(calls.length, call.input.length, call.input.length - before)
    },
  }
}

/** Servers send a name once, in pieces, or whole with every fragment. */
function joinName(before: string, piece: string): string {
  return before === piece || before.length + piece.length > MAX_NAME ? before : before + piece
}

/** Longer arguments are not looked at with every fragment. */
const LOOKED_AT = 20_000
/** Longest name that is put together of pieces. */
const MAX_NAME = 200

function isWholeCall({ input }: ToolCallPart): boolean {
  return input !== '' && input.length <= LOOKED_AT && input.endsWith('}') && isJson(input)
}

function readUsage(usage: WireUsage | null | undefined): Usage | null {
  if (!usage || (usage.prompt_tokens === undefined && usage.completion_tokens === undefined)) return null
  const written = usage.prompt_tokens_details?.cache_write_tokens
  const cost = readCost(usage)
  return {
    input_tokens: usage.prompt_tokens ?? 0,
    output_tokens: usage.completion_tokens ?? 0,
    cached_tokens: usage.prompt_tokens_details?.cached_tokens ?? usage.prompt_cache_hit_tokens ?? 0,
    ...(written && { cache_write_tokens: written }),
    ...(cost !== undefined && { cost }),
    reasoning_tokens: usage.completion_tokens_details?.reasoning_tokens ?? 0,
    estimated: false,
  }
}

function readCost({ cost, is_byok, cost_details }: WireUsage): number | undefined {
  if (typeof cost !== 'number' || !(cost >= 0)) return undefined
  const upstream = is_byok ? cost_details?.upstream_inference_cost : 0
  return cost + (typeof upstream === 'number' ? upstream : 0)
}
