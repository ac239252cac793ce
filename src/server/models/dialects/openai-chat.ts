import type { FinishReason, ModelCall, ModelMessage, ModelPart, ToolCallPart, Usage } from '../port.ts'
import { ModelError } from '../port.ts'
import type { Dialect, WireReader } from '../wire/dialect.ts'
import { failureInStream, sentenceFor } from '../wire/failures.ts'

/** Chat completions, as every compatible server speaks them. */
export const openaiChat: Dialect = {
  request: (call, { base_url, api_key }) => ({
    url: `${base_url}/chat/completions`,
    headers: { ...(api_key && { authorization: `Bearer ${api_key}` }) },
    body: writeBody(call),
  }),
  createReader,
}

function writeBody(call: ModelCall): Record<string, unknown> {
  const tools = call.tools.map(({ name, description, input_schema }) => ({
    type: 'function',
    function: { name, description, parameters: input_schema },
  }))
  return {
    model: call.model,
    messages: call.messages.flatMap(writeMessage),
    stream: true,
    stream_options: { include_usage: true },
    ...(tools.length > 0 && { tools, tool_choice: writeToolChoice(call.tool_choice) }),
    ...(call.output && {
      response_format: {
        type: 'json_schema',
        json_schema: { name: call.output.name, schema: call.output.schema },
      },
    }),
    ...(call.temperature !== undefined && { temperature: call.temperature }),
    ...(call.max_output_tokens !== undefined && { max_tokens: call.max_output_tokens }),
  }
}

function writeToolChoice(choice: ModelCall['tool_choice']) {
  return typeof choice === 'string' ? choice : { type: 'function', function: { name: choice.name } }
}

function writeMessage(message: ModelMessage): Record<string, unknown>[] {
  if (message.role === 'system') return [{ role: 'system', content: message.content }]
  if (message.role === 'tool') {
    return message.content.map(({ id, output }) => ({ role: 'tool', tool_call_id: id, content: output }))
  }
  if (message.role === 'user') return [{ role: 'user', content: writeUserContent(message.content) }]
  const text = message.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')
  const calls = message.content.filter((part) => part.type === 'tool-call')
  const tool_calls = calls.map(({ id, name, input }) => ({
    id,
    type: 'function',
    function: { name, arguments: input || '{}' },
  }))
  return [{ role: 'assistant', content: text || null, ...(tool_calls.length > 0 && { tool_calls }) }]
}

function writeUserContent(parts: Extract<ModelMessage, { role: 'user' }>['content']) {
  if (parts.every((part) => part.type === 'text')) return parts.map((part) => part.text).join('\n\n')
  return parts.map((part) => {
    if (part.type === 'text') return part
    const url = `data:${part.media_type};base64,${part.data_base64}`
    if (part.media_type.startsWith('image/')) return { type: 'image_url', image_url: { url } }
    return { type: 'file', file: { filename: part.name ?? 'file', file_data: url } }
  })
}

type Fragment = { index?: number; id?: string; function?: { name?: string; arguments?: unknown } }
type Delta = {
  content?: unknown
  refusal?: string | null
  reasoning_content?: string | null
  reasoning?: string | null
  tool_calls?: Fragment[]
}
type WireUsage = {
  prompt_tokens?: number
  completion_tokens?: number
  prompt_tokens_details?: { cached_tokens?: number } | null
  completion_tokens_details?: { reasoning_tokens?: number } | null
}
type Chunk = {
  error?: unknown
  choices?: { delta?: Delta; message?: Delta; finish_reason?: string | null }[]
  usage?: WireUsage | null
  x_groq?: { usage?: WireUsage; error?: unknown }
}

const finishReasons: Record<string, FinishReason> = {
  stop: 'stop',
  eos: 'stop',
  end_turn: 'stop',
  tool_calls: 'tool-calls',
  function_call: 'tool-calls',
  length: 'length',
  max_tokens: 'length',
  model_length: 'length',
  content_filter: 'content-filter',
  insufficient_system_resource: 'other',
}

function createReader(): WireReader {
  const calls: ToolCallPart[] = []
  const byIndex = new Map<number, ToolCallPart>()
  let usage: Usage | null = null
  let finish: string | null = null
  let hasAnswered = false
  let malformed = 0

  return {
    read(data) {
      if (data === '[DONE]') return []
      const chunk = parseChunk(data)
      if (!chunk) {
        malformed += 1
        return []
      }
      const failure = chunk.error ?? chunk.x_groq?.error
      if (failure) throw failureInStream(failure)
      usage = readUsage(chunk.usage ?? chunk.x_groq?.usage) ?? usage
      const choice = chunk.choices?.[0]
      if (!choice) return []
      finish = choice.finish_reason || finish
      const delta = choice.delta ?? choice.message ?? {}
      for (const fragment of delta.tool_calls ?? []) addFragment(calls, byIndex, fragment)
      const parts = readDelta(delta)
      hasAnswered ||= parts.length > 0
      return parts
    },
    end() {
      if (finish === null || finish === 'error')
        throw unfinished({ finish, hasAnswered, malformed, hasCalls: calls.length > 0 })
      if (!hasAnswered && calls.length === 0 && !usage)
        throw new ModelError('invalid_answer', sentenceFor('invalid_answer', 'it was empty'))
      const reason = finishReasons[finish] ?? 'other'
      const last: ModelPart = {
        type: 'finish',
        reason: calls.length > 0 && reason === 'stop' ? 'tool-calls' : reason,
      }
      return [...calls, ...(usage ? [{ type: 'usage' as const, ...usage }] : []), last]
    },
  }
}

function parseChunk(data: string): Chunk | null {
  try {
    const value: unknown = JSON.parse(data)
    return typeof value === 'object' ? (value as Chunk) : null
  } catch {
    return null
  }
}

function readDelta(delta: Delta): ModelPart[] {
  const parts: ModelPart[] = []
  const reasoning = delta.reasoning_content || delta.reasoning
  if (typeof reasoning === 'string' && reasoning) parts.push({ type: 'reasoning', text: reasoning })
  if (typeof delta.content === 'string') {
    if (delta.content) parts.push({ type: 'text', text: delta.content })
  } else if (Array.isArray(delta.content)) parts.push(...delta.content.flatMap(readContentItem))
  if (delta.refusal) parts.push({ type: 'text', text: delta.refusal })
  return parts
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

/** Fragments belong together by index; servers that send none mark a new call by a new id. */
function addFragment(calls: ToolCallPart[], byIndex: Map<number, ToolCallPart>, fragment: Fragment): void {
  const last = calls.at(-1)
  const known =
    fragment.index === undefined
      ? fragment.id && fragment.id !== last?.id
        ? undefined
        : last
      : byIndex.get(fragment.index)
  const call = known ?? {
    type: 'tool-call' as const,
    id: fragment.id || `call_${calls.length + 1}`,
    name: '',
    input: '',
  }
  if (!known) calls.push(call)
  if (fragment.index !== undefined) byIndex.set(fragment.index, call)
  const { name, arguments: written } = fragment.function ?? {}
  if (name && !call.name) call.name = name
  if (typeof written === 'string') call.input += written
  else if (written) call.input = JSON.stringify(written)
}

function readUsage(usage: WireUsage | null | undefined): Usage | null {
  if (!usage || (usage.prompt_tokens === undefined && usage.completion_tokens === undefined)) return null
  return {
    input_tokens: usage.prompt_tokens ?? 0,
    output_tokens: usage.completion_tokens ?? 0,
    cached_tokens: usage.prompt_tokens_details?.cached_tokens ?? 0,
    reasoning_tokens: usage.completion_tokens_details?.reasoning_tokens ?? 0,
    estimated: false,
  }
}

function unfinished(state: {
  finish: string | null
  hasAnswered: boolean
  malformed: number
  hasCalls: boolean
}): ModelError {
  const isGarbage = state.malformed > 0 && !state.hasAnswered && !state.hasCalls
  if (isGarbage) return new ModelError('invalid_answer', sentenceFor('invalid_answer'))
  return new ModelError('interrupted', sentenceFor('interrupted'))
}
