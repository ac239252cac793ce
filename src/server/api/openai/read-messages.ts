import type { ChatCall, ChatMessage, ClientTool, FileInput, ToolChoice } from '#shared/api/openai/chat.ts'
import { AppError } from '#shared/platform/errors.ts'
import type { FilePart, ModelCall, ModelMessage, ModelTool, TextPart } from '../../models/models/port.ts'
import type { Caller } from '../../platform/http/serve.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import type { Completion } from '../../runs/runs/runs.ts'
import type { Deps } from '../../tools/deps.ts'
import { readFileInput } from './read-file-input.ts'

/** Maximum size of a fetched picture, and maximum pictures and files per call. */
const PICTURE_BYTES = 10_000_000
const MAX_FILES = 20
const MAX_MESSAGES = 4_000
const DATA_URL = /^data:(image\/[\w.+-]{1,50});base64,/

/** The conversation that a call continues. It stands after the instructions, which are the first messages of the call. */
export type Earlier = { earlier: ModelMessage[]; instructions: number }

/**
 * Converts a wire call to the internal model format. `leading` is the number of messages that are of this call alone: hints
 * and instructions. @throws AppError `invalid`
 */
export async function readCompletion(
  deps: Deps,
  user: Caller,
  call: ChatCall,
  { earlier, instructions }: Earlier,
): Promise<{ completion: Completion; leading: number }> {
  const output = readFormat(call.response_format)
  const above: ModelMessage[] = output?.hint ? [{ role: 'system', content: output.hint }] : []
  const own = call.messages.slice(0, instructions)
  const reading = { deps, user, left: MAX_FILES }
  above.push(...(await readMessages(reading, own, [])))
  const messages = [...above, ...(await readMessages(reading, call.messages.slice(instructions), earlier))]
  if (messages.length > MAX_MESSAGES)
    throw new AppError('invalid', `A conversation may have ${MAX_MESSAGES} messages.`)
  return { completion: writeCompletion(call, messages, output?.schema), leading: above.length }
}

function writeCompletion(
  call: ChatCall,
  messages: ModelMessage[],
  output: Completion['output'] | null,
): Completion {
  const most = call.max_completion_tokens ?? call.max_tokens
  return {
    messages,
    tools: (call.tools ?? []).map(readTool),
    tool_choice: readChoice(call.tool_choice),
    ...(output && { output }),
    ...(call.temperature != null && { temperature: call.temperature }),
    ...readSampling(call),
    ...(most != null && { max_output_tokens: most }),
  }
}

function readSampling(call: ChatCall): Pick<Completion, 'sampling'> {
  const { top_p, top_k, stop, seed, presence_penalty, frequency_penalty, reasoning_effort: effort } = call
  const sequences = typeof stop === 'string' ? [stop] : stop
  const given = { top_p, top_k, stop: sequences, seed, presence_penalty, frequency_penalty, effort }
  const sampling = Object.fromEntries(Object.entries(given).filter(([, value]) => value != null))
  return Object.keys(sampling).length > 0 ? { sampling } : {}
}

/** The caller, and the remaining number of pictures and files. */
type Reading = { deps: Deps; user: Caller; left: number }

/** Reads the messages that follow `earlier`, and returns both. */
async function readMessages(
  reading: Reading,
  messages: ChatMessage[],
  earlier: ModelMessage[],
): Promise<ModelMessage[]> {
  const called = earlier.flatMap((message) => (message.role === 'assistant' ? message.content : []))
  const names = new Map(called.flatMap((part) => (part.type === 'tool-call' ? [[part.id, part.name]] : [])))
  const read: ModelMessage[] = [...earlier]
  for (const message of messages) {
    if (message.role === 'user')
      read.push({ role: 'user', content: await readUser(reading, message.content) })
    else if (message.role === 'assistant') read.push(readAssistant(message, names))
    else if (message.role === 'tool') takeResult(read, message, names)
    else read.push({ role: 'system', content: textOf(message.content) })
  }
  return read
}

type Names = Map<string, string>
type Said = Extract<ChatMessage, { role: 'assistant' }>
/** `is_error` comes from wires that say it. */
type Result = Extract<ChatMessage, { role: 'tool' }> & { is_error?: boolean }

function readAssistant({ content, tool_calls = [] }: Said, names: Names): ModelMessage {
  const said = textOf(content ?? '')
  for (const call of tool_calls) names.set(call.id, call.function.name)
  const calls = tool_calls.map(({ id, function: { name, arguments: input } }) => ({
    ...{ type: 'tool-call' as const, id, name, input },
  }))
  return {
    role: 'assistant',
    content: [...(said === '' ? [] : [{ type: 'text' as const, text: said }]), ...calls],
  }
}

/** Groups the results of parallel tool calls. */
function takeResult(read: ModelMessage[], result: Result, names: Names): void {
  const { tool_call_id: id, content, is_error = false } = result
  const name = names.get(id)
  if (name === undefined)
    throw new AppError('invalid', `The result ${id} follows no call of a tool with this id.`)
  const part = { type: 'tool-result' as const, id, name, output: textOf(content), is_error }
  const last = read.at(-1)
  if (last?.role === 'tool') last.content.push(part)
  else read.push({ role: 'tool', content: [part] })
}

/** Returns the text of a message, with its parts joined. */
export function textOf(content: string | readonly { type: string; text?: string }[]): string {
  if (typeof content === 'string') return content
  return content.flatMap(({ text }) => (text === undefined ? [] : [text])).join('\n\n')
}

type UserContent = Extract<ChatMessage, { role: 'user' }>['content']

/** Returns the pictures and files of a user message. */
export function attachedTo(content: UserContent): { pictures: number; files: FileInput[] } {
  const parts = typeof content === 'string' ? [] : content
  return {
    pictures: parts.filter(({ type }) => type.includes('image')).length,
    files: parts.flatMap((part) =>
      part.type === 'file' ? [part.file] : part.type === 'input_file' ? [part] : [],
    ),
  }
}

async function readUser(reading: Reading, content: UserContent): Promise<(TextPart | FilePart)[]> {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  const parts: (TextPart | FilePart)[] = []
  for (const part of content) {
    if ('text' in part) parts.push({ type: 'text', text: part.text })
    else parts.push(await readAttached(reading, part))
  }
  return parts
}

type Attached = Exclude<Exclude<UserContent, string>[number], { text: string }>

async function readAttached(reading: Reading, part: Attached): Promise<TextPart | FilePart> {
  const { deps, user } = reading
  reading.left -= 1
  if (reading.left < 0) throw new AppError('invalid', `A call may have ${MAX_FILES} pictures and files.`)
  if (part.type === 'file') return readFileInput(deps, user, part.file)
  if (part.type === 'input_file' || 'file_id' in part) return readFileInput(deps, user, part)
  return readPicture(deps.outbound, typeof part.image_url === 'string' ? part.image_url : part.image_url.url)
}

async function readPicture(outbound: Outbound, url: string): Promise<FilePart> {
  const [head, media_type] = DATA_URL.exec(url.slice(0, 200)) ?? []
  if (head && media_type) return { type: 'file', media_type, name: null, data_base64: url.slice(head.length) }
  if (!/^https?:/.test(url))
    throw new AppError('invalid', 'A picture must be a data URL of an image, or an address of the web.')
  const answer = await outbound.fetch(url.slice(0, 4_000), { maxBytes: PICTURE_BYTES })
  const type = (answer.headers.get('content-type') ?? '').split(';')[0]?.trim() ?? ''
  if (answer.status !== 200 || !type.startsWith('image/'))
    throw new AppError('invalid', 'There is no picture at the address that was given.')
  const data_base64 = Buffer.from(answer.bytes).toString('base64')
  return { type: 'file', media_type: type, name: null, data_base64 }
}

function readTool({ function: { name, description = '', parameters } }: ClientTool): ModelTool {
  return { name, description, input_schema: parameters ?? { type: 'object', properties: {} } }
}

function readChoice(choice: ToolChoice | undefined): ModelCall['tool_choice'] {
  if (choice === undefined) return 'auto'
  return typeof choice === 'string' ? choice : { name: choice.function.name }
}

function readFormat(format: ChatCall['response_format']) {
  if (format?.type === 'json_schema') {
    const { name, schema = {} } = format.json_schema
    return { schema: { name, schema }, hint: null }
  }
  // Works with any model: few providers support JSON output without a schema.
  return format?.type === 'json_object' ? { schema: null, hint: 'Answer with one JSON object.' } : null
}
