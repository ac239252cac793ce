import type { Adaptation } from '#shared/models/connections/adaptations.ts'
import { ECHOED_THOUGHT, type ModelMessage, type TextPart, type ToolCallPart } from '../port.ts'
import { has } from './learned.ts'
import { withoutPictures } from './show-pictures.ts'

/** Placeholder for a missing turn where roles must alternate. */
const NOTHING = '…'

/** Returns messages in a form that every dialect accepts, adapted to what is known about the model. */
export function tidyMessages(messages: ModelMessage[], facts: readonly Adaptation[]): ModelMessage[] {
  let tidied = messages.flatMap(withoutEmpty)
  if (has(facts, 'no_tools')) tidied = tidied.map(tellTools)
  if (has(facts, 'single_calls')) tidied = splitCalls(tidied)
  if (has(facts, 'no_images')) tidied = tidied.map(tellFiles)
  if (has(facts, 'no_thoughts')) tidied = tidied.map(withoutThoughts)
  if (has(facts, 'no_signatures')) tidied = tidied.map(withoutSignatures)
  if (has(facts, 'echo_thoughts')) tidied = tidied.map(echoThoughts)
  tidied = separateTurns(systemFirst(tidied))
  if (has(facts, 'no_system')) tidied = systemAsUser(tidied)
  return has(facts, 'alternating') ? alternate(tidied) : tidied
}

/** Result of a tool without a text. Providers refuse an empty one. */
const NO_RESULT = '(nothing)'

/** Providers refuse blank texts and messages without content. */
function withoutEmpty(message: ModelMessage): ModelMessage[] {
  if (message.role === 'system') return message.content.trim() ? [message] : []
  if (message.role === 'tool')
    return [
      {
        ...message,
        content: message.content.map((part) =>
          part.output.trim() === '' ? { ...part, output: NO_RESULT } : part,
        ),
      },
    ]
  if (message.role === 'user') {
    const content = message.content.filter((part) => part.type !== 'text' || part.text.trim() !== '')
    return content.length > 0 ? [{ ...message, content }] : []
  }
  const content = message.content.filter((part) => part.type !== 'text' || part.text.trim() !== '')
  return content.some(({ type }) => type !== 'reasoning') ? [{ ...message, content }] : []
}

/** Merges all instructions into one message at the beginning. */
function systemFirst(messages: ModelMessage[]): ModelMessage[] {
  const texts = messages.flatMap((message) => (message.role === 'system' ? [message.content] : []))
  const others = messages.filter(({ role }) => role !== 'system')
  return texts.length > 0 ? [{ role: 'system', content: texts.join('\n\n') }, ...others] : others
}

/** Inserts a placeholder reply between user messages and merges adjacent replies. */
function separateTurns(messages: ModelMessage[]): ModelMessage[] {
  const turns: ModelMessage[] = []
  for (const message of messages) {
    const last = turns.at(-1)
    if (last?.role === 'assistant' && message.role === 'assistant' && !hasCalls(last)) {
      turns[turns.length - 1] = { role: 'assistant', content: [...last.content, ...message.content] }
      continue
    }
    if (last?.role === 'user' && message.role === 'user')
      turns.push({ role: 'assistant', content: [text(NOTHING)] })
    turns.push(message)
  }
  return turns
}

/** Moves the instructions to the beginning of the first user message. */
function systemAsUser(messages: ModelMessage[]): ModelMessage[] {
  const [system, first, ...rest] = messages
  if (system?.role !== 'system') return messages
  const told: ModelMessage = { role: 'user', content: [text(system.content)] }
  if (first?.role !== 'user') return [told, ...(first ? [first] : []), ...rest]
  return [{ role: 'user', content: [...told.content, ...first.content] }, ...rest]
}

/** Makes user and assistant alternate, from a user to a user or a tool. */
function alternate(messages: ModelMessage[]): ModelMessage[] {
  const turns: ModelMessage[] = []
  for (const message of messages) {
    const last = turns.at(-1)
    const isFirst = last === undefined || last.role === 'system'
    if (isFirst && message.role === 'assistant') turns.push({ role: 'user', content: [text(NOTHING)] })
    if (last?.role === 'tool' && message.role === 'user')
      turns.push({ role: 'assistant', content: [text(NOTHING)] })
    turns.push(message)
  }
  if (turns.at(-1)?.role === 'assistant') turns.push({ role: 'user', content: [text('Go on.')] })
  return turns
}

/** Writes calls and results as prose, for models without tools. */
export function tellTools(message: ModelMessage): ModelMessage {
  if (message.role === 'tool')
    return {
      role: 'user',
      content: message.content.map(({ name, output }) => text(`Result of ${name}:\n${output || NO_RESULT}`)),
    }
  if (message.role !== 'assistant') return message
  const content = message.content.map((part) =>
    part.type === 'tool-call' ? text(`(I used ${part.name}: ${part.input || '{}'})`) : part,
  )
  return { role: 'assistant', content }
}

/** Puts each call before its own result, for models without parallel calls. */
function splitCalls(messages: ModelMessage[]): ModelMessage[] {
  return messages.flatMap((message, at): ModelMessage[] => {
    const results = messages[at + 1]
    if (message.role === 'tool' && messages[at - 1]?.role === 'assistant') return []
    if (message.role !== 'assistant' || results?.role !== 'tool') return [message]
    const calls = message.content.filter((part): part is ToolCallPart => part.type === 'tool-call')
    const said = message.content.filter(({ type }) => type !== 'tool-call')
    return calls.flatMap((call, index): ModelMessage[] => [
      { role: 'assistant', content: index === 0 ? [...said, call] : [call] },
      { role: 'tool', content: results.content.filter(({ id }) => id === call.id) },
    ])
  })
}

const tellFiles = (message: ModelMessage) =>
  withoutPictures(message, (name) => `[${name} cannot be shown to this model.]`)

function withoutThoughts(message: ModelMessage): ModelMessage {
  if (message.role !== 'assistant') return message
  return { ...message, content: message.content.filter(({ type }) => type !== 'reasoning') }
}

function withoutSignatures(message: ModelMessage): ModelMessage {
  if (message.role !== 'assistant') return message
  const content = message.content.map((part) => {
    if (part.type !== 'tool-call') return part
    const { metadata: _, ...call } = part
    return call
  })
  return { ...message, content }
}

/** Servers that require thoughts require the field even when it is empty. */
function echoThoughts(message: ModelMessage): ModelMessage {
  if (message.role !== 'assistant' || !hasCalls(message)) return message
  const content = message.content
  if (content.some((part) => part.type === 'reasoning' && part.metadata?.['chat:field'])) return message
  return { ...message, content: [{ type: 'reasoning', text: '', metadata: ECHOED_THOUGHT }, ...content] }
}

const hasCalls = (message: ModelMessage) =>
  message.role === 'assistant' && message.content.some(({ type }) => type === 'tool-call')

const text = (words: string): TextPart => ({ type: 'text', text: words })
