const TYPE_MS = 3000
const HOLD_MS = 10_000
const ERASE_MS_PER_CHARACTER = 25
const PAUSE_MS = 1000

export type Typed = {
  /** Index of the current phrase. */
  phrase: number
  /** Number of visible characters. */
  shown: number
  /** Milliseconds until the next change. */
  next: number
}

/**
 * Returns the state of the typing title after `elapsed` ms. Each phrase is typed in 3 s, held for 10 s and erased at
 * 25 ms per character; the next one begins after 1 s. `lengths` are the phrases' lengths in characters.
 */
export function typedAt(lengths: number[], elapsed: number): Typed {
  const cycle = lengths.reduce((sum, length) => sum + phraseMs(length), 0)
  let rest = cycle > 0 ? elapsed % cycle : 0
  for (const [phrase, length] of lengths.entries()) {
    if (rest < phraseMs(length)) return typePhrase(phrase, length, rest)
    rest -= phraseMs(length)
  }
  return { phrase: 0, shown: 0, next: PAUSE_MS }
}

function typePhrase(phrase: number, length: number, at: number): Typed {
  const perCharacter = TYPE_MS / length
  if (at < TYPE_MS) {
    const shown = Math.floor(at / perCharacter)
    return { phrase, shown, next: (shown + 1) * perCharacter - at }
  }
  const erasing = at - TYPE_MS - HOLD_MS
  if (erasing < 0) return { phrase, shown: length, next: -erasing }
  const gone = Math.floor(erasing / ERASE_MS_PER_CHARACTER)
  if (gone < length)
    return { phrase, shown: length - gone, next: (gone + 1) * ERASE_MS_PER_CHARACTER - erasing }
  return { phrase, shown: 0, next: phraseMs(length) - at }
}

function phraseMs(length: number): number {
  return TYPE_MS + HOLD_MS + ERASE_MS_PER_CHARACTER * length + PAUSE_MS
}
