import type { MessagesCall, MessageTurn } from '#shared/api/anthropic/messages.ts'
import type { ChatCall, ChatMessage, ClientTool, ToolChoice } from '#shared/api/openai/chat.ts'
import { Effort } from '#shared/models/connections/tuning.ts'
import { refuse } from '../openai/openai.ts'

type Asked = Pick<MessagesCall, 'model' | 'messages' | 'system' | 'tools' | 'tool_choice'>

/** Converts a call of the Messages API to a Chat Completions call. @throws WireFailure for tools that Anthropic runs */
export function readMessagesCall(call: Asked & Partial<MessagesCall>): ChatCall {
  const { system, tools, tool_choice, max_tokens, temperature, output_config } = call
  const { top_p, top_k, stop_sequences: stop } = call
  const effort = Effort.safeParse(output_config?.effort).data
  const above: ChatMessage[] = system && system.length > 0 ? [{ role: 'system', content: system }] : []
  const format = output_config?.format
  return {
    ...{ model: call.model, messages: [...above, ...call.messages.flatMap(readTurn)] },
    ...{ temperature, max_completion_tokens: max_tokens, top_p, top_k, stop, reasoning_effort: effort },
    ...(tools && tools.length > 0 && { tools: tools.map(readTool) }),
    ...(tool_choice && { tool_choice: readChoice(tool_choice) }),
    ...(format && {
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'answer', schema: format.schema },
      },
    }),
  }
}

type UserBlock = Exclude<Extract<MessageTurn, { role: 'user' }>['content'], string>[number]
type Result = Extract<UserBlock, { type: 'tool_result' }>
type UserPart = Exclude<Extract<ChatMessage, { role: 'user' }>['content'], string>[number]

function readTurn(turn: MessageTurn): ChatMessage[] {
  if (typeof turn.content === 'string') return [{ role: turn.role, content: turn.content }]
  return turn.role === 'user' ? readUser(turn.content) : [readAssistant(turn.content)]
}

function readUser(blocks: UserBlock[]): ChatMessage[] {
  const results = blocks.filter((block): block is Result => block.type === 'tool_result')
  // A result is text on the model port: its images follow as the user's.
  const parts = blocks.flatMap((block) =>
    block.type === 'tool_result' ? imagesOf(block).map(readPart) : [readPart(block)],
  )
  return [
    ...results.map(readResult),
    ...(parts.length > 0 || results.length === 0 ? [{ role: 'user' as const, content: parts }] : []),
  ]
}

type AssistantBlock = Exclude<Extract<MessageTurn, { role: 'assistant' }>['content'], string>[number]

function readAssistant(blocks: AssistantBlock[]): ChatMessage {
  const content = blocks.flatMap((block) => (block.type === 'text' ? [block] : []))
  const tool_calls = blocks.flatMap((block) =>
    block.type === 'tool_use'
      ? [
          {
            ...{ id: block.id, type: 'function' as const },
            function: { name: block.name, arguments: JSON.stringify(block.input) },
          },
        ]
      : [],
  )
  return { role: 'assistant', content, ...(tool_calls.length > 0 && { tool_calls }) }
}

type Image = Extract<UserBlock, { type: 'image' }>

function imagesOf({ content }: Result): Image[] {
  const blocks = typeof content === 'string' ? [] : (content ?? [])
  return blocks.flatMap((block) => (block.type === 'image' ? [block] : []))
}

function readResult({ tool_use_id: tool_call_id, content = '', is_error }: Result): ChatMessage {
  const text =
    typeof content === 'string'
      ? content
      : content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n\n')
  const result = { role: 'tool' as const, tool_call_id, content: text }
  return is_error ? Object.assign(result, { is_error }) : result
}

function readPart(block: Exclude<UserBlock, Result>): UserPart {
  if (block.type === 'text') return block
  return block.type === 'image' ? readImage(block) : readDocument(block)
}

function readImage({ source }: Image): UserPart {
  if (source.type === 'file') return { type: 'input_image', file_id: source.file_id }
  const url = source.type === 'url' ? source.url : `data:${source.media_type};base64,${source.data}`
  return { type: 'image_url', image_url: { url } }
}

function readDocument({ title, source }: Extract<UserBlock, { type: 'document' }>): UserPart {
  if (source.type === 'file') return { type: 'input_file', file_id: source.file_id }
  if (source.type === 'text') return { type: 'text', text: source.data }
  const { media_type, data } = source
  const filename = title || (media_type === 'application/pdf' ? 'document.pdf' : 'document')
  return { type: 'input_file', filename, file_data: `data:${media_type};base64,${data}` }
}

function readTool(tool: NonNullable<MessagesCall['tools']>[number]): ClientTool {
  const { type, name, description = '', input_schema: parameters } = tool
  if (type && type !== 'custom')
    throw refuse(`Tools of the type ${type} are not available here. Send one with an input_schema.`, 'tools')
  return { type: 'function', function: { name, description, ...(parameters && { parameters }) } }
}

function readChoice(choice: NonNullable<MessagesCall['tool_choice']>): ToolChoice {
  if (choice.type === 'tool') return { type: 'function', function: { name: choice.name } }
  return choice.type === 'any' ? 'required' : choice.type
}
