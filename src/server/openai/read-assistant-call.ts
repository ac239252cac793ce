import { AppError } from '#shared/errors.ts'
import type { ChatCall } from '#shared/openai/chat.ts'
import { hasPictures, textOf } from './read-messages.ts'

/**
 * What an assistant is asked: words that stand above all, and the turns of the conversation. @throws AppError `invalid` for
 * what is a model's alone: tools of the caller, and pictures
 */
export function readAssistantCall({ messages, tools }: ChatCall) {
  if (tools && tools.length > 0)
    throw new AppError('invalid', 'An assistant has tools of its own and takes none with a call.')
  const words: string[] = []
  const turns: { role: 'user' | 'assistant'; content: string }[] = []
  for (const message of messages) {
    if (message.role === 'tool')
      throw new AppError('invalid', 'An assistant takes no results of tools with a call.')
    if (message.role === 'user' && hasPictures(message.content))
      throw new AppError('invalid', 'An assistant takes no pictures with a call.')
    const content = textOf(message.content ?? '')
    if (message.role === 'user' || message.role === 'assistant') {
      if (content.trim() !== '') turns.push({ role: message.role, content })
    } else words.push(content)
  }
  return { words: words.join('\n\n'), turns }
}
