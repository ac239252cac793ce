import type { ModelCall, ModelPart, ReasoningPart, ToolCallPart, Usage } from '../../models/port.ts'
import { ModelError } from '../../models/port.ts'
import { type Allowance, createAllowance } from '../../models/wire/allowance.ts'
import type { WireReader } from '../../models/wire/dialect.ts'
import { isErrorEvent } from '../../models/wire/error-words.ts'
import { failureInStream, sentenceFor } from '../../models/wire/failures.ts'
import { readFinish } from '../../models/wire/finish-words.ts'

const blockKey = 'anthropic:'

/** The thinking blocks a part carries, as the provider wants them back. */
export function blocksOf({ metadata }: ReasoningPart): Record<string, unknown>[] {
  const blocks = Object.entries(metadata ?? {}).filter(([key]) => key.startsWith(blockKey))
  return blocks.map(([, block]) => block as Record<string, unknown>)
}

type Tokens = {
  input_tokens?: number
  output_tokens?: number
  cache_read_input_tokens?: number | null
  cache_creation_input_tokens?: number | null
}
type WireUsage = Tokens & {
  output_tokens_details?: { thinking_tokens?: number } | null
  /** Complete usage of a call with compaction. The top-level totals then leave the compaction out. */
  iterations?: Tokens[] | null
}
type Block = {
  type: string
  id?: string
  name?: string
  input?: object
  data?: string
  text?: string
  thinking?: string
  signature?: string
}
type Delta = {
  type?: string
  text?: string
  thinking?: string
  signature?: string
  partial_json?: string
  stop_reason?: string | null
  citation?: { url?: string; title?: string }
}
type WireEvent = {
  type?: string
  index?: number
  error?: unknown
  message?: { usage?: WireUsage }
  usage?: WireUsage
  content_block?: Block
  delta?: Delta
  /** Only in an answer that was not streamed. */
  role?: string
  content?: Block[] | string | null
  stop_reason?: string | null
}

/** Reads an answer of the messages API. An answer of a given schema comes as a tool's arguments and is given as text. */
export function createAnthropicReader(
  { output }: Pick<ModelCall, 'output'>,
  allowance = createAllowance(),
): WireReader {
  const blocks = createBlocks(output?.name ?? null, allowance)
  let usage: WireUsage = {}
  let finish: string | null = null
  let isOver = false
  let hasText = false

  const say = (parts: ModelPart[]): ModelPart[] => {
    hasText ||= parts.some(({ type }) => type === 'text')
    return parts
  }
  /** Reads an answer that was not streamed. */
  const readWhole = (event: WireEvent): ModelPart[] => {
    usage = { ...event.usage }
    finish = event.stop_reason ?? null
    return say(
      blocksIn(event).flatMap((block, index) => [...blocks.start(index, block), ...blocks.stop(index)]),
    )
  }
  return {
    read(value) {
      const event = value as WireEvent
      switch (event.type) {
        case 'error':
          throw failureInStream(event.error ?? event)
        case 'message':
          return readWhole(event)
        case 'message_start':
          usage = { ...event.message?.usage }
          return []
        case 'message_delta':
          finish = event.delta?.stop_reason ?? finish
          usage = { ...usage, ...withoutNulls(event.usage) }
          return []
        case 'message_stop':
          finish ??= 'end_turn'
          isOver = true
          return []
        case 'content_block_start':
          return event.content_block ? say(blocks.start(event.index ?? 0, event.content_block)) : []
        case 'content_block_delta':
          return event.delta ? say(blocks.add(event.index ?? 0, event.delta)) : []
        case 'content_block_stop':
          return blocks.stop(event.index ?? 0)
        default:
          if (event.error) throw failureInStream(event.error)
          if (isErrorEvent(event)) throw failureInStream(event)
          return event.role === 'assistant' ? readWhole(event) : []
      }
    },
    isOver: () => isOver,
    end(ending) {
      const isWhole = (hasText || blocks.hasCalls()) && blocks.isClosed()
      if (ending !== 'unknown' && isWhole) finish ??= blocks.hasCalls() ? 'tool_use' : 'end_turn'
      if (finish === null) throw new ModelError('interrupted', sentenceFor('interrupted'))
      const isAnswered = output !== undefined && finish === 'tool_use'
      const reason = isAnswered ? 'stop' : readFinish(finish)
      return [...blocks.calls(), { type: 'usage', ...readUsage(usage) }, { type: 'finish', reason }]
    },
  }
}

/** The blocks of an answer that was not streamed. A few servers send its text alone. */
function blocksIn({ content }: WireEvent): Block[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? [])
}

/** The content blocks of one answer. `answerTool` is the tool whose arguments are the answer itself. */
function createBlocks(answerTool: string | null, allowance: Allowance) {
  const calls: ToolCallPart[] = []
  /** The newest call of each index, which some proxies use for every block. */
  const byIndex = new Map<number, ToolCallPart>()
  const thoughts = new Map<number, { type: string; thinking: string; signature: string }>()
  const answers = new Set<number>()
  const open = new Set<number>()

  return {
    /** Returns whether every block that was opened has ended. */
    isClosed: () => open.size === 0,
    hasCalls: () => calls.length > 0,
    calls: () => calls,
    start(index: number, block: Block): ModelPart[] {
      // A block that begins again replaces its first part.
      const cut = open.has(index) ? byIndex.get(index) : undefined
      if (cut) calls.splice(calls.indexOf(cut), 1)
      open.add(index)
      const written = block.input && Object.keys(block.input).length > 0 ? JSON.stringify(block.input) : ''
      if (block.type === 'tool_use' && block.name === answerTool) {
        answers.add(index)
        return written ? [{ type: 'text', text: written }] : []
      }
      if (block.type === 'tool_use') {
        const id = block.id ?? `call_${calls.length}`
        const call: ToolCallPart = { type: 'tool-call', id, name: block.name ?? '', input: written }
        calls.push(call)
        byIndex.set(index, call)
        allowance.call(calls.length, written.length, written.length)
      }
      if (block.type === 'redacted_thinking') {
        const kept = { type: block.type, data: block.data }
        allowance.keep(block.data?.length ?? 0)
        return [{ type: 'reasoning', text: '', metadata: { [blockKey + index]: kept } }]
      }
      if (block.type === 'thinking') {
        const { type, thinking = '', signature = '' } = block
        thoughts.set(index, { type, thinking, signature })
        return thinking ? [{ type: 'reasoning', text: thinking }] : []
      }
      return block.type === 'text' && block.text ? [{ type: 'text', text: block.text }] : []
    },
    add(index: number, { type, text, thinking, signature, partial_json, citation }: Delta): ModelPart[] {
      switch (type) {
        case 'text_delta':
          return text ? [{ type: 'text', text }] : []
        case 'thinking_delta': {
          const thought = thoughts.get(index)
          if (thought) thought.thinking += thinking ?? ''
          return thinking ? [{ type: 'reasoning', text: thinking }] : []
        }
        case 'signature_delta': {
          const thought = thoughts.get(index)
          if (thought) thought.signature += signature ?? ''
          allowance.keep(signature?.length ?? 0)
          return []
        }
        case 'input_json_delta': {
          if (answers.has(index)) return partial_json ? [{ type: 'text', text: partial_json }] : []
          const call = byIndex.get(index)
          if (!call) return []
          call.input += partial_json ?? ''
          allowance.call(calls.length, call.input.length, partial_json?.length ?? 0)
          return []
        }
        case 'citations_delta':
          return citation?.url ? [{ type: 'source', url: citation.url, title: citation.title ?? null }] : []
        default:
          return []
      }
    },
    /** Closes a block. Returns a signed thought as a whole in `metadata`; its text was already streamed. */
    stop(index: number): ModelPart[] {
      open.delete(index)
      const thought = thoughts.get(index)
      thoughts.delete(index)
      if (!thought?.signature) return []
      return [{ type: 'reasoning', text: '', metadata: { [blockKey + index]: thought } }]
    },
  }
}

function withoutNulls(usage: WireUsage | undefined): WireUsage {
  return Object.fromEntries(Object.entries(usage ?? {}).filter(([, value]) => value !== null))
}

/** This provider leaves cached tokens out of `input_tokens`. */
function readUsage({ iterations, output_tokens_details, ...total }: WireUsage): Usage {
  const all: Tokens[] = iterations && iterations.length > 0 ? iterations : [total]
  const sum = (name: keyof Tokens) => all.reduce((tokens, one) => tokens + (one[name] ?? 0), 0)
  const cached = sum('cache_read_input_tokens')
  const written = sum('cache_creation_input_tokens')
  return {
    input_tokens: sum('input_tokens') + cached + written,
    output_tokens: sum('output_tokens'),
    cached_tokens: cached,
    ...(written > 0 && { cache_write_tokens: written }),
    reasoning_tokens: output_tokens_details?.thinking_tokens ?? 0,
    estimated: false,
  }
}
