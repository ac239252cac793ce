import { operationUrl } from '../../models/addresses/operation-url.ts'
import type { ModelCall, ModelMessage } from '../../models/port.ts'
import type { Dialect } from '../../models/wire/dialect.ts'
import { parseInput } from '../../models/wire/json-input.ts'
import { messagesSampling } from '../../models/wire/write-sampling.ts'
import { blocksOf, createAnthropicReader } from './read-anthropic.ts'

const outputTokensDefault = 8192
/** Marks the end of a cached prefix, which costs less when the next request starts with it. */
const CACHED = { cache_control: { type: 'ephemeral' } }

/** The messages API. */
export const anthropicMessages: Dialect = {
  request: (call, { base_url, api_key }) => ({
    url: operationUrl(base_url, '/messages'),
    headers: { 'anthropic-version': '2023-06-01', ...(api_key && { 'x-api-key': api_key }) },
    body: writeBody(call),
  }),
  createReader: createAnthropicReader,
  version: 'v1',
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
  const turns = mergeTurns(call.messages.flatMap(writeMessage))
  return {
    model: call.model,
    max_tokens: call.max_output_tokens ?? outputTokensDefault,
    stream: true,
    ...(system && { system: [{ type: 'text', text: system, ...CACHED }] }),
    messages: isConversation(call) ? cacheEnd(turns) : turns,
    ...(offered.length > 0 && {
      tools: offered.map((tool, at) => (at === offered.length - 1 ? { ...tool, ...CACHED } : tool)),
      tool_choice: writeToolChoice(answer ? { name: answer.name } : call.tool_choice),
    }),
    ...(call.temperature !== undefined && { temperature: call.temperature }),
    ...messagesSampling(call),
  }
}

/** Writing to the cache costs extra, so only prefixes that will be sent again are written. */
const isConversation = ({ tools, messages }: ModelCall) =>
  tools.length > 0 || messages.some(({ role }) => role === 'assistant')

/** Marks the last block of the last turn. Thoughts and empty texts cannot carry the mark. */
function cacheEnd(turns: Turn[]): Turn[] {
  const last = turns.at(-1)
  const block = last?.content.at(-1)
  if (!last || !block || block.text === '' || /thinking/.test(String(block.type))) return turns
  const content = [...last.content.slice(0, -1), { ...block, ...CACHED }]
  return [...turns.slice(0, -1), { ...last, content }]
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
    return [{ type: 'tool_use', id: part.id, name: part.name, input: parseInput(part.input) }]
  // Thoughts without their signature are refused by the provider: only whole blocks go back.
  return blocksOf(part)
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
