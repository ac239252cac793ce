import { cleanProse } from '../../platform/labels.ts'
import { MAX_TITLE } from './sessions.ts'

/** Characters of a message that are searched for a title. */
const MAX_READ = 2_000

/** Returns the title of an empty session: `Chat` and the first 8 characters of its id. */
export function defaultTitle(sessionId: string): string {
  return `Chat ${sessionId.slice(0, 8)}`
}

/**
 * Returns a title from a first message: its first sentence or line without Markdown, cut at a word to at most
 * 50 characters. Empty when the message has no words.
 */
export function titleFromMessage(text: string): string {
  const line = cleanProse(text.slice(0, MAX_READ))
    .split('\n')
    .map(stripMarks)
    .find((candidate) => /[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(candidate))
  if (!line) return ''
  const sentence = /^.{3,}?[.!?…。！？](?=\s|$)/u.exec(line)?.[0] ?? line
  return cutAtWord(sentence.replace(/[.。]$/u, ''), MAX_TITLE)
}

function stripMarks(line: string): string {
  return line
    .replace(/^\s*(#{1,6}\s+|>\s*|[-*+]\s+|\d+[.)]\s+|```\w*)+/, '')
    .replace(/(?<![\p{L}\p{N}])[*_`~]{1,3}(?=\S)|(?<=\S)[*_`~]{1,3}(?![\p{L}\p{N}])/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
}

function cutAtWord(text: string, max: number): string {
  const characters = [...text]
  if (text.length <= max) return text
  let cut = ''
  for (const character of characters) {
    if (cut.length + character.length > max - 1) break
    cut += character
  }
  const space = cut.lastIndexOf(' ')
  return `${(space > max / 2 ? cut.slice(0, space) : cut).replace(/(?<![\s,;:–-])[\s,;:–-]+$/u, '')}…`
}
