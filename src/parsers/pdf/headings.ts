import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { Block, Context, Levels, OutlineTitles } from './block.ts'

const LARGER = 1.1
const NUMBERED =
  /^(?:\d{1,2}(?:[.-]\d{1,2}){0,3}[.-]?|[A-Z]\.|[IVX]{1,5}\.|(?:chapter|section|part|annex|appendix|chapitre|partie|annexe|article)\s+[\dA-Z]{1,4}\.?)\s+\p{L}/iu

/** Returns the titles of the outline; empty if there is no valid outline. */
export async function readOutline(pdf: PDFDocumentProxy): Promise<OutlineTitles> {
  const titles: OutlineTitles = new Map()
  type Entry = { title: string; items: Entry[] }
  const walk = (entries: Entry[], depth: number): void => {
    for (const { title, items } of entries) {
      if (titles.size > 5000) return
      titles.set(plain(title), depth)
      if (depth < 6) walk(items, depth + 1)
    }
  }
  try {
    walk(((await pdf.getOutline()) ?? []) as Entry[], 1)
  } catch {
    // The outline is optional.
  }
  return titles
}

/** Returns the size and style of most text, including table text outside the first row and column. */
export function findLevels(blocks: Block[]): Levels {
  const letters = new Map<number, number>()
  let bold = 0
  let italic = 0
  let all = 0
  const count = (size: number, length: number, style: { bold: number; italic: number }) => {
    letters.set(rounded(size), (letters.get(rounded(size)) ?? 0) + length)
    bold += style.bold * length
    italic += style.italic * length
    all += length
  }
  for (const { paragraph, table, style } of blocks) {
    const inTable = table?.cells.filter(({ row, column }) => row > 0 && column > 0) ?? []
    for (const { size, text, stress } of inTable.flatMap(({ runs }) => runs))
      count(size, text.length, { bold: Number(stress === 'bold'), italic: Number(stress === 'italic') })
    if (!paragraph) continue
    count(paragraph.size, paragraph.text.length, style)
  }
  const body = [...letters].reduce((most, one) => (one[1] > most[1] ? one : most), [10, 0])[0]
  return { body, isBodyBold: bold > 0.5 * all, isBodyItalic: italic > 0.3 * all }
}

/** Returns whether a paragraph is a heading. */
export function isHeading(block: Block, { levels, outline }: Context): boolean {
  const { paragraph, role, style } = block
  if (!paragraph) return false
  if (role?.kind === 'heading') return true
  const { text, lines, size } = paragraph
  if (text.length > 200 || lines.length > 3 || !/\p{L}{2}/u.test(text)) return false
  if (outline.has(plain(text))) return true
  if (/[.,;]$/.test(text) && !NUMBERED.test(text)) return false
  if (size > LARGER * levels.body) return text.length < 150 && !/[:]$/.test(text) && isMostlyWords(text)
  if (style.italic > 0.9 && !levels.isBodyItalic) return lines.length === 1 && isTitleCase(text)
  const isBold = style.bold > 0.9 && !levels.isBodyBold
  if (!isBold || lines.length > 2 || text.length > 110 || size < 0.95 * levels.body) return false
  return NUMBERED.test(text) || (!/[:,.]$/.test(text) && isMostlyWords(text))
}

const isMostlyWords = (text: string) =>
  (text.match(/\p{L}/gu)?.length ?? 0) > 0.5 * text.replaceAll(' ', '').length
/** Returns whether a text is short and each word of more than three letters begins with a capital. */
function isTitleCase(text: string): boolean {
  const words = text.split(/\s+/).filter((word) => word.length > 3)
  return text.length < 70 && words.length > 0 && words.every((word) => /^\p{Lu}/u.test(word))
}

export const plain = (text: string) => text.replace(/\s+/g, ' ').trim().toLowerCase()
export const rounded = (size: number) => Math.round(size * 2) / 2
