import { keyHeaders } from '../../models/addresses/key-headers.ts'
import { operationUrl } from '../../models/addresses/operation-url.ts'
import type { ModelCall, ModelMessage } from '../../models/port.ts'
import type { Dialect } from '../../models/wire/dialect.ts'
import { FOREIGN_SIGNATURE, wantsSignatures } from '../../models/wire/foreign-signature.ts'
import { chatSampling } from '../../models/wire/write-sampling.ts'
import { writeThoughts } from './chat-thoughts.ts'
import { extraOf } from './collect-calls.ts'
import { isOf } from './domains.ts'
import { createChatReader } from './read-chat.ts'

/** Chat completions, as every compatible server speaks them. */
export const openaiChat: Dialect = {
  request: (call, endpoint) => ({
    url: operationUrl(endpoint.base_url, '/chat/completions', call.model),
    headers: keyHeaders(endpoint),
    body: { ...writeBody(call), ...(tellsCosts(endpoint.base_url) && { usage: { include: true } }) },
  }),
  createReader: createChatReader,
  version: 'v1',
}

/** Whether a server says with every answer what it cost, in dollars. */
const tellsCosts = (base_url: string) => isOf(base_url, 'openrouter.ai')

function writeBody(call: ModelCall): Record<string, unknown> {
  const tools = call.tools.map(({ name, description, input_schema }) => ({
    type: 'function',
    function: { name, description, parameters: input_schema },
  }))
  return {
    model: call.model,
    messages: call.messages.flatMap((message) => writeMessage(message, call.model)),
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
    ...chatSampling(call),
  }
}

function writeToolChoice(choice: ModelCall['tool_choice']) {
  return typeof choice === 'string' ? choice : { type: 'function', function: { name: choice.name } }
}

function writeMessage(message: ModelMessage, model: string): Record<string, unknown>[] {
  if (message.role === 'system') return [{ role: 'system', content: message.content }]
  if (message.role === 'tool') {
    return message.content.map(({ id, output }) => ({ role: 'tool', tool_call_id: id, content: output }))
  }
  if (message.role === 'user') return [{ role: 'user', content: writeUserContent(message.content) }]
  const text = message.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')
  const calls = message.content.filter((part) => part.type === 'tool-call')
  if (calls.length === 0) return [{ role: 'assistant', content: text }]
  const isSigned = !wantsSignatures(model) || calls.some(extraOf)
  const tool_calls = calls.map((call, at) => {
    const extra_content = extraOf(call) ?? (at === 0 && !isSigned ? FOREIGN_EXTRA : null)
    const named = { name: call.name, arguments: call.input || '{}' }
    return { id: call.id, type: 'function', function: named, ...(extra_content ? { extra_content } : {}) }
  })
  return [{ role: 'assistant', content: text || null, tool_calls, ...writeThoughts(message.content) }]
}

/** Google's signature as its compatible address takes it. */
const FOREIGN_EXTRA = { google: { thought_signature: FOREIGN_SIGNATURE } }

function writeUserContent(parts: Extract<ModelMessage, { role: 'user' }>['content']) {
  if (parts.every((part) => part.type === 'text')) return parts.map((part) => part.text).join('\n\n')
  return parts.map((part) => {
    if (part.type === 'text') return part
    const url = `data:${part.media_type};base64,${part.data_base64}`
    if (part.media_type.startsWith('image/')) return { type: 'image_url', image_url: { url } }
    return { type: 'file', file: { filename: part.name ?? 'file', file_data: url } }
  })
}
