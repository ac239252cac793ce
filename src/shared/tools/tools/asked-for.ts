type Sentence = { text: string; isQuestion: boolean }

const isWord = (character: string) => /[\p{L}\p{N}]/u.test(character)

/** Splits a message into sentences and lines: lower case, single spaces, no surrounding punctuation. */
export function sentencesOf(message: string): Sentence[] {
  const parts = message.split(/(?<=[.!?])\s|\n/)
  return parts.flatMap((part) => {
    const text = plain(part)
    return text === '' ? [] : [{ text, isQuestion: part.trimEnd().endsWith('?') }]
  })
}

/** Returns a text in lower case with single spaces, without surrounding punctuation. */
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
 * Returns true when a message contains a text exactly, so that nothing can hide in its spacing, punctuation or case.
 * An all-lower-case version also counts.
 */
export function standsIn(text: string, message: string): boolean {
  return text === text.trim() && (message.includes(text) || message.toLowerCase().includes(text))
}
