import { OPS, type PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { Box } from '../../elements/port.ts'
import type { ReadPicture } from '../../ocr/ocr.ts'
import { textOfGlyph } from './glyph-names.ts'
import { boxOf, type Run, type Size, type Turn } from './run.ts'

/** Codes that represent no letter. A text contains them if the `ToUnicode` map of its font is wrong. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds them
const BROKEN = /[\u0001-\u0008\u000e-\u001f\u007f-\u009f\ufffd]/g
/** The same with private-use characters. Glyph names may reveal their letters, but most are ornaments. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds them
const NAMELESS = /[\u0001-\u0008\u000e-\u001f\u007f-\u009f\ue000-\uf8ff\ufffd]/gu

/** Returns whether a text has lost letters: it has more than two such codes, or one and real letters. A single code is usually a bullet. */
function isBroken(text: string): boolean {
  const count = text.match(BROKEN)?.length ?? 0
  return count > 2 || (count > 0 && /[\p{L}\p{N}]/u.test(text))
}

/** Returns a function that replaces codes by the text of their glyph names. `texts` has all texts of the page. */
export async function openGlyphNames(
  page: PDFPageProxy,
  texts: string[],
): Promise<(text: string, font: string) => string> {
  if (!texts.some((text) => text.search(NAMELESS) >= 0)) return (text) => text
  const byFont = await namedGlyphs(page)
  return (text, font) => text.replace(NAMELESS, (sign) => byFont.get(font)?.get(sign) ?? sign)
}

type Shown = number | { unicode?: string; originalCharCode?: number } | null
type Font = { differences?: Map<number, string>; defaultEncoding?: string[] }

/** Returns the texts of wrongly mapped codes, by font and code. Ambiguous codes are mapped to themselves. */
async function namedGlyphs(page: PDFPageProxy): Promise<Map<string, Map<string, string>>> {
  const { fnArray, argsArray } = await page.getOperatorList()
  const byFont = new Map<string, Map<string, string>>()
  let id = ''
  for (const [at, instruction] of fnArray.entries()) {
    if (instruction === OPS.setFont) id = (argsArray[at] as [string])[0]
    if (instruction !== OPS.showText || !page.commonObjs.has(id)) continue
    const names = byFont.get(id) ?? new Map<string, string>()
    byFont.set(id, names)
    addNames(names, page.commonObjs.get(id), (argsArray[at] as [Shown[]])[0])
  }
  return byFont
}

function addNames(names: Map<string, string>, font: Font, shown: Shown[]): void {
  for (const glyph of shown) {
    if (glyph === null || typeof glyph === 'number') continue
    const { unicode = '', originalCharCode: code = -1 } = glyph
    if (unicode.length !== 1 || unicode.search(NAMELESS) < 0) continue
    const text = textOfGlyph(font.differences?.get(code) ?? font.defaultEncoding?.[code] ?? '')
    if (text === null) continue
    const before = names.get(unicode)
    names.set(unicode, before === undefined || before === text ? text : unicode)
  }
}

/** Maximum gap between a bullet and its text, in font sizes. */
const BULLET_REACH = 4

function nameBullets(runs: Run[]): void {
  for (const run of runs) {
    if (run.text.trim().length !== 1 || run.text.search(BROKEN) < 0) continue
    const isFirst = !runs.some((one) => isInLine(one, run) && one.left < run.left)
    const isFollowed = runs.some(
      (one) => isInLine(one, run) && one.left > run.left && one.left - run.right < BULLET_REACH * run.size,
    )
    if (isFirst && isFollowed) run.text = '•'
  }
}

const isInLine = (one: Run, run: Run) =>
  one !== run &&
  Math.abs(one.baseline - run.baseline) < 0.3 * run.size &&
  Math.abs(one.left - run.right) < 40 * run.size

/**
 * Replaces lines with lost letters by the words that OCR reads at the same position. Returns the number of lines that OCR read, the
 * number of those it could not read, and the original texts.
 */
export async function rereadBroken(
  groups: { turn: Turn; runs: Run[] }[],
  size: Size,
  see: () => Promise<ReadPicture>,
): Promise<{ reread: number; unread: number; replaced: string[] }> {
  for (const { runs } of groups) nameBullets(runs)
  const broken = groups.flatMap(({ turn, runs }) =>
    runs.filter(({ text }) => isBroken(text)).map((run) => ({ run, box: boxOf(run, turn, size) })),
  )
  if (broken.length === 0) return { reread: 0, unread: 0, replaced: [] }
  const { paragraphs } = await see()
  let unread = 0
  const replaced = broken.map(({ run }) => run.text)
  for (const { run, box } of broken) {
    const seen = wordsWithin(paragraphs, box)
    if (!seen) unread += 1
    run.text = seen || run.text.replace(NAMELESS, '\ufffd')
  }
  return { reread: broken.length - unread, unread, replaced }
}

/** Returns the words whose centre is inside a box, joined by spaces. */
export function wordsWithin(paragraphs: ReadPicture['paragraphs'], box: Box): string {
  return paragraphs
    .flatMap(({ words }) => words)
    .filter(({ box: [left, top, right, bottom] }) => {
      const [x, y] = [(left + right) / 2, (top + bottom) / 2]
      return x >= box[0] && x <= box[2] && y >= box[1] && y <= box[3]
    })
    .map(({ text }) => text)
    .join(' ')
}
