import { OPS, type PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { Job } from '../../elements/port.ts'
import type { Note } from './read-notes.ts'
import { boxOf, type Run, type Size, type Turn } from './run.ts'

/** Letters smaller than this, in points, are read by programs only. */
const MIN_SIZE = 1.5
/** Rendering modes that draw nothing. */
const UNSEEN = new Set([3, 7])
const WHITE = /^#?f[c-f]f[c-f]f[c-f]$/i
const FILLS = new Set([OPS.fill, OPS.eoFill, OPS.fillStroke, OPS.eoFillStroke])
const PICTURES = new Set([
  OPS.paintImageXObject,
  OPS.paintInlineImageXObject,
  OPS.paintImageMaskXObject,
  OPS.paintImageXObjectRepeat,
  OPS.shadingFill,
])

const marks = { en: '[Hidden text]', fr: '[Texte masqué]' }

/**
 * Takes text that nobody sees out of the runs of a page, and gives it as notes that say so: white, drawn in a mode without ink, or tiny.
 * Where a picture or a filled area may lie behind the text, as under recognised scans, only its size counts.
 */
export async function takeHidden(
  page: PDFPageProxy,
  groups: { turn: Turn; runs: Run[] }[],
  { size, language }: { size: Size; language: Job['language'] },
): Promise<Note[]> {
  const isUnseen = await findUnseen(page)
  const notes: Note[] = []
  for (const group of groups) {
    const hidden = group.runs.filter((run) => run.size < MIN_SIZE || isUnseen(run.text))
    if (hidden.length === 0) continue
    group.runs = group.runs.filter((run) => !hidden.includes(run))
    for (const run of hidden)
      notes.push({
        text: `${marks[language]} ${run.text.trim()}`,
        box: boxOf(run, group.turn, size),
        kind: 'hidden_text',
      })
  }
  return notes
}

type Shown = number | { unicode?: string } | null
type State = { mode: number; isWhite: boolean }

/** Tells whether a text of the page is drawn only where it cannot be seen. */
async function findUnseen(page: PDFPageProxy): Promise<(text: string) => boolean> {
  const { fnArray, argsArray } = await page.getOperatorList()
  const [seen, unseen]: [string[], string[]] = [[], []]
  let state: State = { mode: 0, isWhite: false }
  const saved: State[] = []
  for (const [at, instruction] of fnArray.entries()) {
    const args = argsArray[at]
    if (PICTURES.has(instruction)) return () => false
    if (instruction === OPS.constructPath && FILLS.has(args[0]) && !state.isWhite) return () => false
    if (instruction === OPS.save) saved.push({ ...state })
    else if (instruction === OPS.restore) state = saved.pop() ?? state
    else if (instruction === OPS.setTextRenderingMode) state.mode = args[0]
    else if (instruction === OPS.setFillRGBColor) state.isWhite = WHITE.test(String(args[0]))
    else if (instruction === OPS.setFillColorN) state.isWhite = false
    else if (instruction === OPS.showText) {
      const isHidden = UNSEEN.has(state.mode) || (state.isWhite && state.mode === 0)
      ;(isHidden ? unseen : seen).push(lettersOf(args[0]))
    }
  }
  if (unseen.length === 0) return () => false
  const [shown, hidden] = [seen.join('\n'), unseen.join('\n')]
  return (text) => {
    const plain = text.replace(/\s+/g, '')
    return plain !== '' && hidden.includes(plain) && !shown.includes(plain)
  }
}

const lettersOf = (glyphs: Shown[]): string =>
  glyphs
    .map((glyph) => (glyph !== null && typeof glyph === 'object' ? (glyph.unicode ?? '') : ''))
    .join('')
    .normalize('NFKC')
    .replace(/\s+/g, '')
