import { keyHeaders } from '../../models/addresses/key-headers.ts'
import { operationUrl } from '../../models/addresses/operation-url.ts'
import type {
  FinishReason,
  ModelCall,
  ModelMessage,
  ModelPart,
  ReasoningPart,
  Usage,
} from '../../models/port.ts'
import { ModelError } from '../../models/port.ts'
import { type Allowance, createAllowance } from '../../models/wire/allowance.ts'
import type { Dialect, WireReader } from '../../models/wire/dialect.ts'
import { failureInStream, sentenceFor } from '../../models/wire/failures.ts'
import { responsesSampling } from '../../models/wire/write-sampling.ts'
import { textIn } from '../compatible/chat-texts.ts'
import { openaiChat } from '../compatible/openai-chat.ts'
import { createChatReader } from '../compatible/read-chat.ts'
import { type CallItem, createItemCollector, type ItemKey } from './collect-items.ts'

/**
 * The Responses API; the provider stores nothing. A server that replaces the provider may support chat completions only, at its address
 * or in its answers.
 */
export const openaiResponses: Dialect = {
  request: (call, endpoint) => ({
    url: operationUrl(endpoint.base_url, '/responses'),
    headers: keyHeaders(endpoint),
    body: writeBody(call),
  }),
  createReader,
  otherwise: openaiChat,
}

/** Models that think take no temperature and give their thoughts encrypted, to be sent back; others refuse to be asked. */
const thinks = (model: string) => /^(o\d|gpt-[5-9](?!.*chat)|codex|.*\/(o\d|gpt-[5-9]))/i.test(model)

function writeBody(call: ModelCall): Record<string, unknown> {
  const tools = call.tools.map(({ name, description, input_schema }) => ({
    type: 'function',
    name,
    description,
    parameters: input_schema,
    strict: false,
  }))
  return {
    model: call.model,
    input: call.messages.flatMap(writeMessage),
    stream: true,
    store: false,
    ...(thinks(call.model) && { include: ['reasoning.encrypted_content'] }),
    ...(tools.length > 0 && {
      tools,
      tool_choice:
        typeof call.tool_choice === 'string' ? call.tool_choice : { type: 'function', ...call.tool_choice },
    }),
    ...(call.output && {
      text: {
        format: { type: 'json_schema', name: call.output.name, schema: call.output.schema, strict: false },
      },
    }),
    ...(call.temperature !== undefined && !thinks(call.model) && { temperature: call.temperature }),
    ...(call.max_output_tokens !== undefined && { max_output_tokens: call.max_output_tokens }),
    ...responsesSampling(call, thinks(call.model)),
  }
}

function writeMessage(message: ModelMessage): Record<string, unknown>[] {
  switch (message.role) {
    case 'system':
      return [{ role: 'system', content: message.content }]
    case 'user':
      return [{ role: 'user', content: message.content.map(writeUserPart) }]
    case 'tool':
      return message.content.map(({ id, output }) => ({ type: 'function_call_output', call_id: id, output }))
    case 'assistant':
      return message.content.flatMap((part): Record<string, unknown>[] => {
        if (part.type === 'text')
          return part.text ? [{ role: 'assistant', content: [{ type: 'output_text', text: part.text }] }] : []
        if (part.type === 'tool-call')
          return [{ type: 'function_call', call_id: part.id, name: part.name, arguments: part.input || '{}' }]
        return itemsOf(part)
      })
  }
}

const itemKey = 'responses:'

function itemsOf({ metadata }: ReasoningPart): Record<string, unknown>[] {
  const items = Object.entries(metadata ?? {}).filter(([key]) => key.startsWith(itemKey))
  return items.map(([, item]) => item as Record<string, unknown>)
}

function writeUserPart(
  part: Extract<ModelMessage, { role: 'user' }>['content'][number],
): Record<string, unknown> {
  if (part.type === 'text') return { type: 'input_text', text: part.text }
  const url = `data:${part.media_type};base64,${part.data_base64}`
  if (part.media_type.startsWith('image/')) return { type: 'input_image', image_url: url }
  return { type: 'input_file', filename: part.name ?? 'file', file_data: url }
}

type Item = CallItem & {
  encrypted_content?: string | null
  summary?: unknown
  content?: { type: string; text?: string; refusal?: string }[] | string | null
}
type WireUsage = {
  input_tokens?: number
  output_tokens?: number
  input_tokens_details?: { cached_tokens?: number }
  output_tokens_details?: { reasoning_tokens?: number }
}
type Answer = {
  status?: string
  output?: Item[]
  /** The whole text, as libraries of the provider add it. */
  output_text?: string
  usage?: WireUsage | null
  error?: unknown
  incomplete_details?: { reason?: string } | null
}
type WireEvent = Omit<Answer, 'error'> &
  ItemKey & {
    type?: string
    /** `response` in an answer that was not streamed. */
    object?: string
    delta?: unknown
    text?: string
    message?: string
    code?: string
    error?: unknown
    item?: Item
    /** The whole arguments of a call. */
    arguments?: string
    part?: { type: string; text?: string }
    response?: Answer
    annotation?: { type?: string; url?: string; title?: string }
  }

function createReader(_call: unknown, allowance = createAllowance()): WireReader {
  const calls = createItemCollector(allowance)
  let usage: Usage | null = null
  let finish: FinishReason | null = null
  let chat: WireReader | null = null
  let hasText = false
  let hasItems = false
  let openItems = 0

  const say = (parts: ModelPart[]): ModelPart[] => {
    hasText ||= parts.some(({ type }) => type === 'text')
    return parts
  }
  const readDone = ({ item, ...key }: WireEvent): ModelPart[] => {
    openItems = Math.max(0, openItems - 1)
    if (!item) return []
    hasItems = true
    if (item.type === 'function_call') calls.close(item, key)
    return [...(hasText ? [] : say(textOf(item))), ...readThought(item, allowance)]
  }
  /** Reads the whole answer. Proxies send it at the end, some without the events before. */
  const readWhole = (answer: Answer = {}): ModelPart[] => {
    usage = readUsage(answer.usage) ?? usage
    if (answer.status === 'incomplete') finish = incompleteReason(answer)
    else if (answer.status === undefined || answer.status === 'completed') finish = 'stop'
    const { output = [], output_text } = answer
    calls.finish(output.filter(isCall))
    return [
      ...(hasText ? [] : say(output.flatMap(textOf))),
      ...(hasText || !output_text ? [] : say([{ type: 'text', text: output_text }])),
      ...(hasItems ? [] : output.flatMap((item) => readThought(item, allowance))),
    ]
  }

  return {
    read(value) {
      if (chat || 'choices' in value) {
        chat ??= createChatReader(null, allowance)
        return chat.read(value)
      }
      const event = value as WireEvent
      switch (event.type) {
        case 'response.output_text.delta':
        case 'response.refusal.delta':
          return say(partOf('text', event.delta))
        case 'response.output_text.done':
          return event.text && !hasText ? say([{ type: 'text', text: event.text }]) : []
        case 'response.reasoning_summary_text.delta':
        case 'response.reasoning_text.delta':
        case 'response.reasoning.delta':
          return partOf('reasoning', event.delta)
        case 'response.output_text.annotation.added':
          return event.annotation?.url
            ? [{ type: 'source', url: event.annotation.url, title: event.annotation.title ?? null }]
            : []
        case 'response.output_item.added':
          openItems += 1
          if (event.item && isCall(event.item)) calls.open(event.item, event)
          return []
        case 'response.function_call_arguments.delta':
          calls.addPiece(textIn(event.delta), event)
          return []
        case 'response.function_call_arguments.done':
          calls.setArguments(event.arguments, event)
          return []
        case 'response.content_part.done':
          return event.part?.type === 'output_text' && event.part.text && !hasText
            ? say([{ type: 'text', text: event.part.text }])
            : []
        case 'response.output_item.done':
          return readDone(event)
        case 'response.completed':
        case 'response.done':
          return readWhole(event.response)
        case 'response.incomplete':
          return readWhole({ ...event.response, status: 'incomplete' })
        case 'response.cancelled':
          throw new ModelError('interrupted', sentenceFor('interrupted'))
        case 'response.failed':
          throw failureInStream(event.response?.error)
        case 'error':
          throw failureInStream(event.error ?? event)
        default:
          if (event.error) throw failureInStream(event.error)
          return event.object === 'response' ? readWhole(event) : []
      }
    },
    isOver: () => finish !== null,
    end(ending) {
      if (chat) return chat.end(ending)
      if (finish === null && ending === 'marked' && calls.isComplete()) calls.finish([])
      const called = calls.all()
      const hasAnswered = hasText || called.length > 0
      if (finish === null && ending === 'marked' && hasAnswered) finish = 'stop'
      if (finish === null && ending === 'closed' && openItems === 0 && hasAnswered) finish = 'stop'
      if (finish === null) throw new ModelError('interrupted', sentenceFor('interrupted'))
      const reason = called.length > 0 && finish === 'stop' ? 'tool-calls' : finish
      return [...called, ...(usage ? [{ type: 'usage' as const, ...usage }] : []), { type: 'finish', reason }]
    },
  }
}

const isCall = ({ type }: Item): boolean => type === 'function_call'

function partOf(type: 'text' | 'reasoning', delta: unknown): ModelPart[] {
  const text = textIn(delta)
  return text === '' ? [] : [{ type, text }]
}

function incompleteReason(answer: Answer | undefined): FinishReason {
  return answer?.incomplete_details?.reason === 'content_filter' ? 'content-filter' : 'length'
}

/** Returns a thought of the model that the provider requires back. */
function readThought(item: Item, allowance: Allowance): ModelPart[] {
  if (item.type !== 'reasoning' || !item.encrypted_content) return []
  const { type, id, summary, encrypted_content } = item
  const kept = { type, id, summary: summary ?? [], encrypted_content }
  allowance.keep(JSON.stringify(kept).length)
  return [{ type: 'reasoning', text: '', metadata: { [`${itemKey}${id}`]: kept } }]
}

function textOf({ type, content }: Item): ModelPart[] {
  if (type !== 'message') return []
  if (typeof content === 'string') return partOf('text', content)
  return (content ?? []).flatMap(({ text, refusal }) => {
    const said = text ?? refusal
    return said ? [{ type: 'text' as const, text: said }] : []
  })
}

function readUsage(usage: WireUsage | null | undefined): Usage | null {
  if (!usage) return null
  return {
    input_tokens: usage.input_tokens ?? 0,
    output_tokens: usage.output_tokens ?? 0,
    cached_tokens: usage.input_tokens_details?.cached_tokens ?? 0,
    reasoning_tokens: usage.output_tokens_details?.reasoning_tokens ?? 0,
    estimated: false,
  }
}
