import type { ChatCall } from '#shared/api/openai/chat.ts'
import { AppError } from '#shared/platform/errors.ts'
import type { ModelMessage } from '../../models/models/port.ts'
import { attachedTo, textOf } from './read-messages.ts'

const MAX_FILES = 20

/**
 * Parses an assistant call: instructions, turns and file ids. @throws AppError `invalid` for input that only models accept: caller's
 * tools, pictures and inline files
 */
export function readAssistantCall({ messages, tools }: ChatCall) {
  if (tools && tools.length > 0)
    throw new AppError('invalid', 'An assistant has tools of its own and takes none with a call.')
  const words: string[] = []
  const fileIds = new Set<string>()
  const turns: { role: 'user' | 'assistant'; content: string }[] = []
  for (const message of messages) {
    if (message.role === 'tool')
      throw new AppError('invalid', 'An assistant takes no results of tools with a call.')
    if (message.role === 'user') {
      const { pictures, files } = attachedTo(message.content)
      if (pictures > 0) throw new AppError('invalid', 'An assistant takes no pictures with a call.')
      for (const { file_id } of files) {
        if (!file_id)
          throw new AppError('invalid', 'Send the file to /v1/files first, and name it here by its id.')
        fileIds.add(file_id)
      }
    }
    const content = textOf(message.content ?? '')
    if (message.role === 'user' || message.role === 'assistant') {
      if (content.trim() !== '') turns.push({ role: message.role, content })
    } else words.push(content)
  }
  if (fileIds.size > MAX_FILES)
    throw new AppError('invalid', `A call of an assistant may have ${MAX_FILES} files.`)
  return { words: words.join('\n\n'), turns, fileIds: [...fileIds] }
}

/** Returns the turns of a conversation as an assistant takes them. */
export function turnsOf(
  messages: readonly ModelMessage[],
): { role: 'user' | 'assistant'; content: string }[] {
  return messages.flatMap((message) => {
    if (message.role !== 'user' && message.role !== 'assistant') return []
    const parts: readonly { type: string; text?: string }[] = message.content
    const content = parts.flatMap(({ type, text }) => (type === 'text' && text ? [text] : [])).join('\n\n')
    return content === '' ? [] : [{ role: message.role, content }]
  })
}
