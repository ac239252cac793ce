import type {
  FinishReason,
  ModelCall,
  ModelMessage,
  ModelPart,
  ReasoningPart,
  ToolCallPart,
  Usage,
} from '../port.ts'
import { ModelError } from '../port.ts'
import type { Dialect, WireReader } from '../wire/dialect.ts'
import { failureInStream, sentenceFor } from '../wire/failures.ts'

const outputTokensDefault = 8192

/** The messages API. */
export const anthropicMessages: Dialect = {
  request: (call, { base_url, api_key }) => ({
    url: `${base_url}/messages`,
    headers: { 'anthropic-version': '2023-06-01', ...(api_key && { 'x-api-key': api_key }) },
    body: writeBody(call),
  }),
  createReader,
}

function writeBody(call: ModelCall): Record<string, unknown> {
  const system = call.messages
    .flatMap((message) => (message.role === 'system' ? [message.content] : []))
    .join('\n\n')
  const tools = call.tools.map(({ name, description, input_schema }) => ({ name, description, input_schema }))
  // An answer of a given schema is asked for as the arguments of a tool that must be called.
  const answer = call.output && {
    name: call.output.name,
    description: 'The answer.',
    input_schema: call.output.schema,
  }
  const offered = answer ? [...tools, answer] : tools
  return {
    model: call.model,
    max_tokens: call.max_output_tokens ?? outputTokensDefault,
    stream: true,
    ...(system && { system }),
    messages: mergeTurns(call.messages.flatMap(writeMessage)),
    ...(offered.length > 0 && {
      tools: offered,
      tool_choice: writeToolChoice(answer ? { name: answer.name } : call.tool_choice),
    }),
    ...(call.temperature !== undefined && { temperature: call.temperature }),
  }
}

function writeToolChoice(choice: ModelCall['tool_choice']) {
  if (typeof choice !== 'string') return { type: 'tool', name: choice.name }
  return { type: choice === 'required' ? 'any' : choice }
}

type Turn = { role: 'user' | 'assistant'; content: Record<string, unknown>[] }

function writeMessage(message: ModelMessage): Turn[] {
  switch (message.role) {
    case 'system':
      return []
    case 'user':
      return [{ role: 'user', content: message.content.map(writeUserPart) }]
    case 'tool':
      return [
        {
          role: 'user',
          content: message.content.map(({ id, output, is_error }) => ({
            type: 'tool_result',
            tool_use_id: id,
            content: output,
            is_error,
          })),
        },
      ]
    case 'assistant':
      return [{ role: 'assistant', content: message.content.flatMap(writeAssistantPart) }]
  }
}

function writeUserPart(
  part: Extract<ModelMessage, { role: 'user' }>['content'][number],
): Record<string, unknown> {
  if (part.type === 'text') return { type: 'text', text: part.text }
  const source = { type: 'base64', media_type: part.media_type, data: part.data_base64 }
  return { type: part.media_type.startsWith('image/') ? 'image' : 'document', source }
}

function writeAssistantPart(
  part: Extract<ModelMessage, { role: 'assistant' }>['content'][number],
): Record<string, unknown>[] {
  if (part.type === 'text') return part.text ? [{ type: 'text', text: part.text }] : []
  if (part.type === 'tool-call')
    return [{ type: 'tool_use', id: part.id, name: part.name, input: parseObject(part.input) }]
  if (part.metadata?.redacted) return [{ type: 'redacted_thinking', data: part.metadata.redacted }]
  // Thoughts without their signature are refused by the provider.
  return part.metadata?.signature
    ? [{ type: 'thinking', thinking: part.text, signature: part.metadata.signature }]
    : []
}

/** Turns must alternate: neighbours of one role become one turn. */
function mergeTurns(turns: Turn[]): Turn[] {
  const merged: Turn[] = []
  for (const turn of turns) {
    const last = merged.at(-1)
    if (last?.role === turn.role) last.content.push(...turn.content)
    else if (turn.content.length > 0) merged.push({ ...turn, content: [...turn.content] })
  }
  return merged
}

function parseObject(text: string): unknown {
  try {
    return JSON.parse(text || '{}')
  } catch {
    return {}
  }
}

type WireUsage = {
  input_tokens?: number
  output_tokens?: number
  cache_read_input_tokens?: number | null
  cache_creation_input_tokens?: number | null
}
type WireEvent = {
  type: string
  index?: number
  error?: unknown
  message?: { usage?: WireUsage }
  usage?: WireUsage
  /** Only in an answer that was not streamed. */
  content?: WireEvent['content_block'][]
  stop_reason?: string | null
  content_block?: {
    type: string
    id?: string
    name?: string
    input?: unknown
    data?: string
    text?: string
    thinking?: string
  }
  delta?: {
    type?: string
    text?: string
    thinking?: string
    signature?: string
    partial_json?: string
    stop_reason?: string | null
    citation?: { url?: string; title?: string }
  }
}

const finishReasons: Record<string, FinishReason> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  pause_turn: 'stop',
  tool_use: 'tool-calls',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  refusal: 'content-filter',
}

function createReader(): WireReader {
  const calls = new Map<number, ToolCallPart>()
  const signed: ReasoningPart[] = []
  let usage: WireUsage = {}
  let finish: string | null = null
  let isStopped = false

  return {
    read(data) {
      const event = parseEvent(data)
      switch (event?.type) {
        case 'error':
          throw failureInStream(event.error)
        case 'message':
          usage = { ...event.usage }
          finish = event.stop_reason ?? null
          return (event.content ?? []).flatMap((content_block, index) =>
            startBlock({ type: '', index, content_block }, calls, signed),
          )
        case 'message_start':
          usage = { ...event.message?.usage }
          return []
        case 'message_delta':
          finish = event.delta?.stop_reason ?? finish
          usage = { ...usage, ...withoutNulls(event.usage) }
          return []
        case 'message_stop':
          isStopped = true
          return []
        case 'content_block_start':
          return startBlock(event, calls, signed)
        case 'content_block_delta':
          return readDelta(event, calls, signed)
        default:
          return []
      }
    },
    end() {
      if (finish === null && !isStopped) throw new ModelError('interrupted', sentenceFor('interrupted'))
      const reason = finishReasons[finish ?? 'end_turn'] ?? 'other'
      return [
        ...signed,
        ...calls.values(),
        { type: 'usage', ...readUsage(usage) },
        { type: 'finish', reason },
      ]
    },
  }
}

function parseEvent(data: string): WireEvent | null {
  try {
    return JSON.parse(data) as WireEvent
  } catch {
    return null
  }
}

function startBlock(
  { index = 0, content_block: block }: WireEvent,
  calls: Map<number, ToolCallPart>,
  signed: ReasoningPart[],
): ModelPart[] {
  if (block?.type === 'tool_use') {
    const input = block.input && Object.keys(block.input).length > 0 ? JSON.stringify(block.input) : ''
    calls.set(index, { type: 'tool-call', id: block.id ?? `call_${index}`, name: block.name ?? '', input })
  }
  if (block?.type === 'redacted_thinking')
    signed.push({ type: 'reasoning', text: '', metadata: { redacted: block.data } })
  if (block?.type === 'text' && block.text) return [{ type: 'text', text: block.text }]
  return block?.type === 'thinking' && block.thinking ? [{ type: 'reasoning', text: block.thinking }] : []
}

function readDelta(
  { index = 0, delta }: WireEvent,
  calls: Map<number, ToolCallPart>,
  signed: ReasoningPart[],
): ModelPart[] {
  switch (delta?.type) {
    case 'text_delta':
      return delta.text ? [{ type: 'text', text: delta.text }] : []
    case 'thinking_delta':
      return delta.thinking ? [{ type: 'reasoning', text: delta.thinking }] : []
    case 'signature_delta':
      signed.push({ type: 'reasoning', text: '', metadata: { signature: delta.signature } })
      return []
    case 'input_json_delta': {
      const call = calls.get(index)
      if (call) call.input += delta.partial_json ?? ''
      return []
    }
    case 'citations_delta':
      return delta.citation?.url
        ? [{ type: 'source', url: delta.citation.url, title: delta.citation.title ?? null }]
        : []
    default:
      return []
  }
}

function withoutNulls(usage: WireUsage | undefined): WireUsage {
  return Object.fromEntries(Object.entries(usage ?? {}).filter(([, value]) => value !== null))
}

/** This provider leaves cached tokens out of `input_tokens`. */
function readUsage(usage: WireUsage): Usage {
  const cached = usage.cache_read_input_tokens ?? 0
  return {
    input_tokens: (usage.input_tokens ?? 0) + cached + (usage.cache_creation_input_tokens ?? 0),
    output_tokens: usage.output_tokens ?? 0,
    cached_tokens: cached,
    reasoning_tokens: 0,
    estimated: false,
  }
}
