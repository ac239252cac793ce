type Sentence = { text: string; isQuestion: boolean }

const isWord = (character: string) => /[\p{L}\p{N}]/u.test(character)

/** Sentences and lines of a message in small letters and with single spaces, without the signs around them. */
export function sentencesOf(message: string): Sentence[] {
  const parts = message.split(/(?<=[.!?])\s|\n/)
  return parts.flatMap((part) => {
    const text = plain(part)
    return text === '' ? [] : [{ text, isQuestion: part.trimEnd().endsWith('?') }]
  })
}

/** A text in small letters and with single spaces, without the signs around it. */
export function plain(text: string): string {
  const characters = [...text.toLowerCase()]
  const from = characters.findIndex(isWord)
  if (from < 0) return ''
  const to = characters.findLastIndex(isWord)
  return characters
    .slice(from, to + 1)
    .join('')
    .split(/\s/)
    .filter(Boolean)
    .join(' ')
}

/**
 * Whether a text stands in a message letter by letter, so that nothing is hidden in its spaces, signs or capitals.
 * All in small letters counts as well.
 */
export function standsIn(text: string, message: string): boolean {
  return text === text.trim() && (message.includes(text) || message.toLowerCase().includes(text))
}
