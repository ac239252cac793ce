import { Damage } from '../archive/damage.ts'
import type { ElementReader, ForeignChat, ForeignFile, ForeignMessage } from './foreign.ts'
import { asId, asName, asObjects, asText, asTime } from './read-values.ts'
import { type ForeignNode, MAX_MESSAGES, tidyTree } from './tidy-tree.ts'

type Fields = Record<string, unknown>

/** Reads a conversation of LibreChat: a list of messages with parents, or a tree of `children`. */
export const librechatChat: ElementReader = {
  format: 'librechat',
  recognizes: (value) => 'conversationId' in value && Array.isArray(value.messages),
  read: (value): ForeignChat => {
    const id = asId(value.conversationId)
    if (id === null) throw new Damage('damaged')
    const nodes = flatten(id, value)
    const model = asName(asFields(value.options).model)
    for (const { message } of nodes) if (message?.role === 'assistant') message.model ??= model
    const leaf = nodes.at(-1)?.id ?? null
    return {
      ...{ kind: 'chat', id, title: asText(value.title), isArchived: value.isArchived === true },
      ...{ at: asTime(value.createdAt), changed: asTime(value.updatedAt) ?? asTime(value.exportAt) },
      ...tidyTree(nodes, leaf),
    }
  },
}

const asFields = (value: unknown): Fields => asObjects([value])[0] ?? {}

/** Returns all messages of a list or a tree. Does not recurse, whatever the depth. */
function flatten(chatId: string, value: Fields): ForeignNode[] {
  const open = asObjects(value.messages).map((message) => ({ message, above: null as string | null }))
  const nodes: ForeignNode[] = []
  for (const { message, above } of open) {
    const id = asId(message.messageId)
    if (id === null) throw new Damage('damaged')
    if (open.length > 2 * MAX_MESSAGES) throw new Damage('too_many')
    nodes.push({
      id,
      parent: above ?? asId(message.parentMessageId),
      message: readMessage(chatId, id, message),
    })
    for (const child of asObjects(message.children)) open.push({ message: child, above: id })
  }
  return nodes
}

function readMessage(chatId: string, id: string, message: Fields): ForeignMessage | null {
  const isUser = message.isCreatedByUser === true || message.sender === 'User'
  if (message.sender === 'System') return null
  const parts = asObjects(message.content).filter(({ type }) => type === 'text')
  const text = parts.length > 0 ? parts.map(partText).join('\n\n') : asText(message.text)
  const files = asObjects(message.files).flatMap((file, at): ForeignFile[] => {
    const name = asName(file.filename)
    return name === null
      ? []
      : [{ id: asId(file.file_id) ?? `${chatId}/${id}/file-${at}`, name, content: null }]
  })
  if (text.trim() === '' && files.length === 0) return null
  return {
    ...{ id, parent: null, role: isUser ? 'user' : 'assistant', text, files, sources: [] },
    ...{ model: isUser ? null : asName(message.model), at: asTime(message.createdAt) },
  }
}

/** The text of a part is a text, or an object with one. */
const partText = (part: Fields) => asText(part.text) || asText(asFields(part.text).value)
