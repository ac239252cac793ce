import { OPS, type PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'

/** Counts of the letters that a page draws, and the text of each annotation by its id. */
export type DrawnLetters = { letters: LetterCounts; annotations: Map<string, string> }
type LetterCounts = Map<string, number>
/** `missing` counts the drawn letters that the text lacks. */
export type LetterCheck = { drawn: number; missing: number }

type Shown = number | { unicode?: string; isSpace?: boolean; width?: number } | null

/** Represents a glyph whose letters the file does not name. */
const UNKNOWN = '\ufffd'
/** Characters that are not compared: spaces, format characters, combining marks, middle dots, and hyphens, which line breaks remove. */
const UNCOUNTED = /[\s\p{Cf}\p{Mn}\p{Pd}\u00b7]/gu
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds them
const CONTROL = /[\u0000-\u0008\u000e-\u001f\u007f-\u009f]/gu

/** Returns the letters that a page draws. */
export async function readDrawnLetters(page: PDFPageProxy): Promise<DrawnLetters> {
  const { fnArray, argsArray } = await page.getOperatorList()
  const raw = new Map<string, number>()
  const annotations = new Map<string, string>()
  let inside: string | null = null
  for (const [at, instruction] of fnArray.entries()) {
    if (instruction === OPS.beginAnnotation) inside = String(argsArray[at]?.[0] ?? '')
    else if (instruction === OPS.endAnnotation) inside = null
    else if (instruction === OPS.showText) {
      const glyphs = (argsArray[at] as [Shown[]])[0]
      if (inside === null) countGlyphs(raw, glyphs)
      else annotations.set(inside, `${annotations.get(inside) ?? ''} ${textOf(glyphs)}`.trim())
    }
  }
  return { letters: normalized(raw), annotations }
}

/** Compares drawn letters with the text that was read. An unknown glyph matches any letter that no known glyph accounts for. */
export function checkLetters(drawn: LetterCounts, texts: Iterable<string>): LetterCheck {
  const raw = new Map<string, number>()
  for (const text of texts) for (const sign of text) raw.set(sign, (raw.get(sign) ?? 0) + 1)
  const read = normalized(raw)
  let [all, missing, known] = [0, 0, 0]
  for (const [letter, count] of drawn) {
    all += count
    if (letter === UNKNOWN) continue
    const found = Math.min(count, read.get(letter) ?? 0)
    known += found
    missing += count - found
  }
  const unknown = drawn.get(UNKNOWN) ?? 0
  if (unknown === 0) return { drawn: all, missing }
  const more = sum(read) - (read.get(UNKNOWN) ?? 0) - known
  return { drawn: all, missing: missing + Math.max(0, unknown - more) }
}

function countGlyphs(raw: LetterCounts, glyphs: Shown[]): void {
  for (const glyph of glyphs) {
    if (glyph === null || typeof glyph === 'number' || glyph.isSpace) continue
    const letters = glyph.unicode || (glyph.width ? UNKNOWN : '')
    raw.set(letters, (raw.get(letters) ?? 0) + 1)
  }
}

/** Returns counts of single letters. Ligatures count as their letters, and full-width letters as normal ones. */
function normalized(raw: LetterCounts): LetterCounts {
  const counts: LetterCounts = new Map()
  for (const [text, count] of raw) {
    const letters = text.normalize('NFKD').replace(CONTROL, UNKNOWN).replace(UNCOUNTED, '')
    for (const letter of letters) counts.set(letter, (counts.get(letter) ?? 0) + count)
  }
  return counts
}

const sum = (counts: LetterCounts) => [...counts.values()].reduce((all, count) => all + count, 0)

/** Large offsets separate words. */
const textOf = (glyphs: Shown[]) =>
  glyphs
    .map((glyph) => (typeof glyph === 'number' ? (glyph < -200 ? ' ' : '') : (glyph?.unicode ?? '')))
    .join('')
