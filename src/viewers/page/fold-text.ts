/** A piece of text on a page: a run of a PDF, or a word recognised by OCR. */
export type Piece = { text: string; endsLine: boolean }

/**
 * Normalised text of a page for searching: lower case, no accents, single spaces. Maps each character to its piece and
 * the offset in it.
 */
export type FoldedText = { text: string; pieces: Uint32Array; offsets: Uint32Array }

/** Start and end (exclusive) of a hit in a folded text. */
export type Hit = readonly [start: number, end: number]

const folds = new Map<string, string>()
const marks = /\p{M}|\u00ad/gu
const quotes = /[\u2018\u2019\u02bc]/g
const hyphens = /[\u2010\u2011]/g
const partedWord = /\p{L}-$/u

/** Joins the pieces of a page and rejoins words that are hyphenated at a line end. */
export function foldText(all: readonly Piece[]): FoldedText {
  let text = ''
  const pieces: number[] = []
  const offsets: number[] = []
  const add = (folded: string, piece: number, offset: number) => {
    for (const unit of folded) {
      if (unit === ' ' && (text === '' || text.endsWith(' '))) continue
      text += unit
      for (let at = 0; at < unit.length; at++) {
        pieces.push(piece)
        offsets.push(offset)
      }
    }
  }
  for (const [piece, { text: given, endsLine }] of all.entries()) {
    let offset = 0
    for (const character of given) {
      add(foldCharacter(character), piece, offset)
      offset += character.length
    }
    if (!endsLine) continue
    if (!partedWord.test(text)) add(' ', piece, given.length)
    else {
      text = text.slice(0, -1)
      pieces.pop()
      offsets.pop()
    }
  }
  return { text, pieces: Uint32Array.from(pieces), offsets: Uint32Array.from(offsets) }
}

/** Returns all non-overlapping matches of a query, in order. */
export function findIn({ text }: FoldedText, query: string): Hit[] {
  const wanted = foldQuery(query)
  const hits: Hit[] = []
  if (wanted === '') return hits
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length))
    hits.push([at, at + wanted.length])
  return hits
}

/** Returns the pieces of a hit; the end lies after its last character. */
export function placeOfHit({ pieces, offsets }: FoldedText, [start, end]: Hit) {
  return {
    from: { piece: pieces[start] ?? 0, offset: offsets[start] ?? 0 },
    to: { piece: pieces[end - 1] ?? 0, offset: (offsets[end - 1] ?? 0) + 1 },
  }
}

export function foldQuery(query: string): string {
  return foldText([{ text: query, endsLine: false }]).text.trim()
}

function foldCharacter(character: string): string {
  let folded = folds.get(character)
  if (folded === undefined) {
    folded = /\s/.test(character)
      ? ' '
      : character
          .normalize('NFKD')
          .replace(marks, '')
          .replace(quotes, "'")
          .replace(hyphens, '-')
          .toLowerCase()
    folds.set(character, folded)
  }
  return folded
}
