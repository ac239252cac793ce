import { Damage } from '../archive/damage.ts'
import type { ElementReader, ForeignAssistant, ForeignChat, ForeignFile, ForeignMessage } from './foreign.ts'
import { asId, asName, asObjects, asPage, asText, asTime } from './read-values.ts'
import { type ForeignNode, tidyTree } from './tidy-tree.ts'

type Fields = Record<string, unknown>

/** Reads a conversation of Claude. Older exports have no parents: their messages follow each other. */
export const claudeChat: ElementReader = {
  format: 'claude',
  recognizes: (value) => Array.isArray(value.chat_messages),
  read: (value): ForeignChat => {
    const id = asId(value.uuid)
    if (id === null) throw new Damage('damaged')
    const messages = asObjects(value.chat_messages)
    const ids = messages.map((message, at) => asId(message.uuid) ?? `message-${at}`)
    const known = new Set(ids)
    const hasParents = messages.some((message) => known.has(asText(message.parent_message_uuid)))
    const nodes = messages.map((message, at): ForeignNode => {
      const named = asId(message.parent_message_uuid)
      const before = hasParents ? (named !== null && known.has(named) ? named : null) : (ids[at - 1] ?? null)
      return { id: ids[at] as string, parent: before, message: readMessage(id, ids[at] as string, message) }
    })
    const leaf = asId(value.current_leaf_message_uuid) ?? ids.at(-1) ?? null
    return {
      ...{ kind: 'chat', id, title: asText(value.name), isArchived: false },
      ...{ at: asTime(value.created_at), changed: asTime(value.updated_at) },
      ...tidyTree(nodes, leaf),
    }
  },
}

/** Reads a project of Claude as an assistant: its instructions and its documents. */
export const claudeProject: ElementReader = {
  format: 'claude',
  recognizes: (value) => 'prompt_template' in value && Array.isArray(value.docs),
  read: (value): ForeignAssistant | null => {
    const [id, name] = [asId(value.uuid), asName(value.name)]
    if (id === null || name === null) throw new Damage('damaged')
    const files = asObjects(value.docs).flatMap((doc, at): ForeignFile[] => {
      const content = asText(doc.content)
      return [
        {
          id: asId(doc.uuid) ?? `${id}/doc-${at}`,
          name: textName(asName(doc.filename) ?? 'document'),
          content: content === '' ? null : { from: 'text', text: content },
        },
      ]
    })
    const instructions = asText(value.prompt_template)
    if (instructions === '' && files.length === 0) return null
    const rest = { description: asText(value.description), examples: [], temperature: null }
    return { kind: 'assistant', id, name, instructions, files, ...rest }
  },
}

function readMessage(chatId: string, id: string, message: Fields): ForeignMessage | null {
  const sender = asText(message.sender)
  if (sender !== 'human' && sender !== 'assistant') return null
  const parts = asObjects(message.content).filter(({ type }) => type === 'text')
  const text = parts.length > 0 ? parts.map((part) => asText(part.text)).join('\n\n') : asText(message.text)
  const files = filesOf(chatId, id, message)
  if (text.trim() === '' && files.length === 0) return null
  const cited = parts.flatMap((part) => asObjects(part.citations)).flatMap((one) => asPage(one) ?? [])
  return {
    ...{ id, parent: null, role: sender === 'human' ? 'user' : 'assistant', text, files },
    ...{ model: asName(message.model), at: asTime(message.created_at) },
    sources: [...new Map(cited.map((page) => [page.url, page])).values()],
  }
}

/** An export has the text of attachments, but not the other files. */
function filesOf(chatId: string, messageId: string, message: Fields): ForeignFile[] {
  const texts = asObjects(message.attachments).map((attachment, at): ForeignFile => {
    const text = asText(attachment.extracted_content)
    return {
      id: `${chatId}/${messageId}/attachment-${at}`,
      name: textName(asName(attachment.file_name) ?? 'attachment'),
      content: text === '' ? null : { from: 'text', text },
    }
  })
  const known = new Set(asObjects(message.attachments).map(({ file_name }) => file_name))
  const others = asObjects(message.files).flatMap((file, at): ForeignFile[] => {
    const name = asName(file.file_name)
    if (name === null || known.has(name)) return []
    return [{ id: asId(file.file_uuid) ?? `${chatId}/${messageId}/file-${at}`, name, content: null }]
  })
  return [...texts, ...others]
}

const TEXT_NAME =
  /\.(?:txt|md|csv|tsv|json|xml|html?|ya?ml|log|py|js|ts|tsx|jsx|css|sql|sh|java|c|cpp|h|go|rs|rb|php)$/i

/** Returns a name that says that the file is text, because only the text of a file is exported. */
const textName = (name: string) => (TEXT_NAME.test(name) ? name : `${name}.txt`)
