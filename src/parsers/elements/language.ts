import { eld } from 'eld/small'

/** Pieces of a text that are looked at, spread over it, and the characters of each: its beginning may be a list of names. */
const PIECES = 8
const CHARACTERS = 2_000
/** Fewer letters may be of any language. */
const LETTERS_MIN = 12

/** The language most of a text is in, as ISO 639-1 names it (`en`, `fr`); null when it is too short or nobody can tell. */
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

/** How much a text is like the language it is most like: about .8 for prose, .4 for lists of names, below .25 for wrong letters. */
export function likenessOf(text: string): number {
  const found = eld.detect(text)
  return Math.max(0, ...Object.values(found.getScores()))
}
