import { eld } from 'eld/small'

/** Samples of a text, spread over it because its beginning may be a list of names. */
const PIECES = 8
/** Characters of a sample. */
const CHARACTERS = 2_000
/** The language of fewer letters is not clear. */
const LETTERS_MIN = 12

/** Returns the ISO 639-1 code (`en`, `fr`) of the language of most of a text; null if the text is too short or unclear. */
export function languageOf(text: string): string | null {
  const counts = new Map<string, number>()
  for (const piece of piecesOf(text)) {
    const language = languageOfPiece(piece)
    if (language) counts.set(language, (counts.get(language) ?? 0) + 1)
  }
  const [most] = [...counts].sort(([, one], [, other]) => other - one)
  return most?.[0] ?? null
}

function piecesOf(text: string): string[] {
  if (text.length <= CHARACTERS) return [text]
  const step = Math.max(CHARACTERS, text.length / PIECES)
  const count = Math.min(PIECES, Math.ceil(text.length / CHARACTERS))
  return Array.from({ length: count }, (_, at) => text.slice(at * step, at * step + CHARACTERS))
}

function languageOfPiece(piece: string): string | null {
  if ((piece.match(/\p{L}/gu)?.length ?? 0) < LETTERS_MIN) return null
  const found = eld.detect(piece)
  return found.isReliable() ? found.language : null
}

/** Returns the score of the most likely language: about 0.8 for prose, 0.4 for lists of names, below 0.25 for wrongly mapped letters. */
export function likenessOf(text: string): number {
  return Math.max(0, ...Object.values(likenessesOf(text)))
}

/** Returns the score of each likely language by its ISO 639-1 code. */
export const likenessesOf = (text: string): Record<string, number> => eld.detect(text).getScores()
