import { plainText } from '#shared/platform/markdown/plain-text.ts'
import type { Entry } from './chat-document.ts'

/** How an entry begins, for the title of a chapter or a place in an outline. */
export function beginningOf({ parts }: Entry, most = 60): string {
  for (const part of parts) {
    const [block] = part.kind === 'text' ? part.blocks : []
    if (block?.type !== 'paragraph' && block?.type !== 'heading') continue
    const words = plainText(block.children).replace(/\s+/g, ' ').trim()
    if (words !== '') return words.length > most ? `${words.slice(0, most).toWellFormed()}…` : words
  }
  return ''
}
