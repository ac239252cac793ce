import { plainText } from '#shared/platform/markdown/plain-text.ts'
import type { Entry } from './chat-document.ts'

/** Returns the start of an entry, for a chapter title or an outline. */
export function beginningOf({ parts }: Entry, most = 60): string {
  for (const part of parts) {
    const [block] = part.kind === 'text' ? part.blocks : []
    if (block?.type !== 'paragraph' && block?.type !== 'heading') continue
    const words = plainText(block.children).replace(/\s+/g, ' ').trim()
    if (words !== '') return words.length > most ? `${words.slice(0, most).toWellFormed()}…` : words
  }
  return ''
}
