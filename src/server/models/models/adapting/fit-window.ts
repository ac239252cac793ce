import type { ModelCall, ModelMessage, ModelTool } from '../port.ts'
import { PICTURE_TOKENS, picturesOf, withoutPictures } from './show-pictures.ts'

/** Parts of a request that can be dropped or shortened, in this order. */
export const SHORTENED = [
  'tools',
  'memory',
  'documents',
  'pictures',
  'conversation',
  'results',
  'instructions',
  'message',
] as const
export type Shortened = (typeof SHORTENED)[number]

/** Share of the window that a request may use. The rest is for the answer and for counting errors. */
const REQUEST_SHARE = 0.72
/** Target share once a request must be shortened. */
const AIM_SHARE = 0.66
/** Shares of the request, for parts that are cut to a share. */
const SHARES = { tools: 0.3, memory: 0.1, documents: 0.4, results: 0.35, instructions: 0.25 }
const SHORT_DESCRIPTION = 160
const CHARACTERS_PER_TOKEN = 3
/** Opening of the working memory within the instructions. */
export const MEMORY_OPENING = 'What the conversation has come to so far:'

type Cut = (call: Call, room: number) => Call
type Call = Pick<ModelCall, 'messages' | 'tools' | 'tool_choice' | 'output'>
export type FittedWindow<C extends Call> = { call: C; shortened: Shortened[]; leftOut: string[] }

/**
 * Fits a call to a context window, in tokens. Shortens tools, working memory, documents, pictures, earlier messages, tool results,
 * instructions and finally the message itself, in this order, and stops as soon as the call fits.
 */
export async function fitWindow<C extends Call>(
  call: C,
  window: number,
  count: (call: Call) => Promise<number>,
): Promise<FittedWindow<C>> {
  const characters = sizeOf(call)
  // A text never has more tokens than bytes.
  if (characters * 3 <= window * REQUEST_SHARE) return { call, shortened: [], leftOut: [] }
  const tokens = await count(call)
  if (tokens <= window * REQUEST_SHARE) return { call, shortened: [], leftOut: [] }
  const room = Math.floor((window * AIM_SHARE * characters) / Math.max(1, tokens))
  let fitted = call
  const shortened: Shortened[] = []
  const leftOut: string[] = []
  for (const [part, cut] of steps) {
    if (sizeOf(fitted) <= room) break
    const next = cut(fitted, room)
    if (sizeOf(next) >= sizeOf(fitted)) continue
    leftOut.push(...missing(fitted.tools, next.tools))
    fitted = { ...fitted, ...next }
    if (!shortened.includes(part)) shortened.push(part)
  }
  return { call: fitted, shortened, leftOut }
}

const shorten: Record<Shortened, Cut> = {
  tools: (call, room) => ({
    ...call,
    tools: fitToolsTo(call, Math.max(room * SHARES.tools, room - sizeOf({ ...call, tools: [] }))),
  }),
  memory: (call, room) => changeSystem(call, (text) => cutMemory(text, room * SHARES.memory)),
  documents: (call, room) =>
    changeAsked(call, (texts) => [
      ...texts.slice(0, 1),
      ...texts.slice(1).map((text) => cutEnd(text, (room * SHARES.documents) / (texts.length - 1))),
    ]),
  pictures: dropPictures,
  conversation: dropEarlier,
  results: cutResults,
  instructions: (call, room) => changeSystem(call, (text) => cutEnd(text, room * SHARES.instructions)),
  message: (call, room) => {
    const others = sizeOf(call) - askedSize(call)
    return changeAsked(call, (texts) =>
      texts.map((text) => cutMiddle(text, Math.max(200, (room - others) / texts.length))),
    )
  },
}

/** The steps in order. Before the message itself is cut, tools are reduced to the room that is left. */
const steps: [Shortened, Cut][] = [
  ...SHORTENED.slice(0, -1).map((part): [Shortened, Cut] => [part, shorten[part]]),
  ['tools', (call, room) => ({ ...call, tools: fitToolsTo(call, room - sizeOf({ ...call, tools: [] })) })],
  ['message', shorten.message],
]

/** Shortens descriptions first, then drops tools from the end. Keeps the tool that must be called and those called before. */
function fitToolsTo({ tools, tool_choice, messages }: Call, room: number): ModelTool[] {
  if (JSON.stringify(tools).length <= room) return tools
  const called = new Set(
    messages.flatMap((message) => (message.role === 'tool' ? message.content.map(({ name }) => name) : [])),
  )
  if (typeof tool_choice !== 'string') called.add(tool_choice.name)
  const short = tools.map((tool) => ({
    ...tool,
    description: firstSentence(tool.description),
    input_schema: withoutTexts(tool.input_schema) as ModelTool['input_schema'],
  }))
  let left = room
  const first = short.filter(({ name }) => called.has(name))
  const kept = new Set<string>()
  for (const tool of [...first, ...short]) {
    const size = JSON.stringify(tool).length
    if (kept.has(tool.name) || (size > left && !called.has(tool.name))) continue
    kept.add(tool.name)
    left -= size
  }
  return short.filter(({ name }) => kept.has(name))
}

const firstSentence = (text: string) =>
  /^[^\n]{1,160}?[.!?](?=\s|$)/.exec(text)?.[0] ?? text.slice(0, SHORT_DESCRIPTION)

/** Returns a schema without its prose. */
function withoutTexts(value: unknown, depth = 0): unknown {
  if (Array.isArray(value)) return value.map((one) => withoutTexts(one, depth + 1))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(
    ([name, one]) => !(['description', 'title', 'examples'].includes(name) && typeof one !== 'object'),
  )
  return Object.fromEntries(entries.map(([name, one]) => [name, withoutTexts(one, depth + 1)]))
}

function cutMemory(text: string, room: number): string {
  const at = text.indexOf(MEMORY_OPENING)
  return at < 0 ? text : text.slice(0, at) + cutEnd(text.slice(at), room)
}

/** Drops the oldest pictures until the rest fits. */
function dropPictures(call: Call, room: number): Call {
  let left = sizeOf(call)
  const messages = call.messages.map((message) => {
    if (left <= room || picturesOf(message).length === 0) return message
    const told = withoutPictures(message, (name) => `[${name} is left out here: it does not fit.]`)
    left -= messageSize(message) - messageSize(told)
    return told
  })
  return { ...call, messages }
}

/** Drops whole turns, oldest first. Keeps the last question and everything after it. */
function dropEarlier(call: Call, room: number): Call {
  const { messages } = call
  const asked = messages.findLastIndex(({ role }) => role === 'user')
  const system = messages.filter(({ role }) => role === 'system')
  let from = messages.findIndex(({ role }) => role !== 'system')
  let left = sizeOf(call)
  while (from < asked && left > room) {
    left -= messageSize(messages[from])
    from += 1
    while (from < asked && messages[from]?.role !== 'user') {
      left -= messageSize(messages[from])
      from += 1
    }
  }
  if (from <= system.length) return call
  const note = '\n\n[Earlier messages are left out here: they do not fit.]'
  return changeSystem({ ...call, messages: [...system, ...messages.slice(from)] }, (text) => `${text}${note}`)
}

/** Cuts each tool result to an equal part of their share, and drops thoughts. */
function cutResults(call: Call, room: number): Call {
  const results = call.messages.flatMap((message) => (message.role === 'tool' ? message.content : []))
  if (results.length === 0) return call
  const each = (room * SHARES.results) / results.length
  const messages = call.messages.map((message): ModelMessage => {
    if (message.role === 'tool')
      return {
        ...message,
        content: message.content.map((part) => ({ ...part, output: cutEnd(part.output, each) })),
      }
    if (message.role !== 'assistant') return message
    return { ...message, content: message.content.filter(({ type }) => type !== 'reasoning') }
  })
  return { ...call, messages }
}

function changeSystem(call: Call, change: (text: string) => string): Call {
  const messages = call.messages.map((message) =>
    message.role === 'system' ? { ...message, content: change(message.content) } : message,
  )
  return { ...call, messages }
}

/** Changes the texts of the newest user message: the question, then documents and step results. */
function changeAsked(call: Call, change: (texts: string[]) => string[]): Call {
  const asked = call.messages.findLastIndex(({ role }) => role === 'user')
  const messages = call.messages.map((message, at): ModelMessage => {
    if (at !== asked || message.role !== 'user') return message
    const texts = change(message.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])))
    let next = 0
    return {
      ...message,
      content: message.content.map((part) =>
        part.type === 'text' ? { ...part, text: texts[next++] ?? part.text } : part,
      ),
    }
  })
  return { ...call, messages }
}

function cutEnd(text: string, most: number): string {
  const room = Math.max(80, Math.floor(most))
  return text.length <= room ? text : `${text.slice(0, room).toWellFormed()}\n[Cut here: it does not fit.]`
}

function cutMiddle(text: string, most: number): string {
  const room = Math.floor(most)
  if (text.length <= room) return text
  const half = Math.floor(room / 2)
  return `${text.slice(0, half).toWellFormed()}\n[Cut here: it does not fit.]\n${text.slice(-half).toWellFormed()}`
}

const missing = (before: ModelTool[], after: ModelTool[]) =>
  before.map(({ name }) => name).filter((name) => !after.some((tool) => tool.name === name))

function askedSize({ messages }: Call): number {
  return messageSize(messages.findLast(({ role }) => role === 'user'))
}

/** Returns the number of characters that a call sends. */
function sizeOf({ messages, tools, output }: Call): number {
  const told = messages.reduce((sum, message) => sum + messageSize(message), 0)
  return (
    told +
    (tools.length > 0 ? JSON.stringify(tools).length : 0) +
    (output ? JSON.stringify(output).length : 0)
  )
}

function messageSize(message: ModelMessage | undefined): number {
  if (!message) return 0
  if (message.role === 'system') return message.content.length + 24
  const parts = message.content as { text?: string; input?: string; output?: string }[]
  const pictures = picturesOf(message).length * PICTURE_TOKENS * CHARACTERS_PER_TOKEN
  return parts.reduce(
    (sum, part) => sum + (part.text ?? part.input ?? part.output ?? '').length + 24,
    24 + pictures,
  )
}
