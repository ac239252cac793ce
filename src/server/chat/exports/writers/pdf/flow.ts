import { drawnWith, type Fonts } from './fonts.ts'
import type { Drawn, Line } from './lines.ts'

/** Page size and margins in points. */
export const PAGE = { width: 595.28, height: 841.89, side: 64, top: 60, bottom: 64 }
export const TEXT_WIDTH = PAGE.width - 2 * PAGE.side

/** The lines of a note at the foot of the page that refers to it. */
export type Foot = { lines: Line[]; height: number }

/** Places lines on pages, with their notes at the foot of the same page. */
export type Flow = {
  readonly fonts: Fonts
  readonly doc: PDFKit.PDFDocument
  y: number
  /** Starts a new page when the height does not fit. */
  ensure(height: number): void
  /** Draws a line at an offset from the left margin and moves below it. */
  line(
    line: Line,
    place: { x: number; height: number; bars?: number[]; ground?: boolean; bottomless?: boolean },
  ): void
  /** Reserves the height of a table row and of the notes it refers to. */
  reserve(height: number, notes: number[]): void
  draw(line: Line, x: number, y: number): void
  gap(height: number): void
  /** Returns the remaining points on this page. */
  left(): number
  end(): void
}

/** Ascent of Inter relative to the font size. */
const ASCENT = 0.97
const NOTE_LINE = 10.5
const NOTES_HEAD = 14

export function startFlow(
  doc: PDFKit.PDFDocument,
  fonts: Fonts,
  footOf: (note: number) => Foot | null,
): Flow {
  let notes: Foot[] = []
  let notesHeight = 0
  const told = new Set<number>()
  const bottom = () => PAGE.height - PAGE.bottom - notesHeight
  const heightOf = (added: Foot[]) =>
    added.reduce((sum, { height }) => sum + height, 0) +
    (notes.length === 0 && added.length > 0 ? NOTES_HEAD : 0)
  const feetOf = (numbers: number[]) =>
    numbers.flatMap((number) => (told.has(number) ? [] : (footOf(number) ?? [])))

  const draw = (line: Line, x: number, y: number) => {
    const largest = Math.max(0, ...line.drawn.map(({ style }) => style.size))
    for (const one of line.drawn) {
      // All sizes share one baseline.
      const top = y + (largest - one.style.size) * ASCENT
      drawPiece(doc, one, PAGE.side + x + one.x, top)
    }
  }
  const endPage = () => {
    if (notes.length === 0) return
    let y = PAGE.height - PAGE.bottom - notesHeight + NOTES_HEAD - 5
    doc
      .moveTo(PAGE.side, y - 4)
      .lineTo(PAGE.side + 90, y - 4)
      .lineWidth(0.6)
      .strokeColor('#8a8994')
      .stroke()
    for (const { lines } of notes)
      for (const line of lines) {
        draw(line, 0, y)
        y += NOTE_LINE
      }
    notes = []
    notesHeight = 0
  }
  const flow: Flow = {
    ...{ doc, fonts, draw, y: PAGE.top },
    ensure: (height) => {
      if (flow.y + height <= bottom() || (flow.y === PAGE.top && notes.length === 0)) return
      endPage()
      doc.addPage()
      flow.y = PAGE.top
    },
    reserve: (height, numbers) => {
      const added = feetOf(numbers)
      // Notes may not fill a whole page; the rest follows at the end of the document.
      const room = Math.min(heightOf(added), (PAGE.height - PAGE.top - PAGE.bottom) / 2)
      flow.ensure(height + room)
      for (const number of numbers) told.add(number)
      notesHeight += heightOf(added)
      notes.push(...added)
    },
    line: (line, { x, height, bars = [], ground = false }) => {
      flow.reserve(height, line.notes)
      if (ground) doc.rect(PAGE.side + x - 6, flow.y - 1.5, TEXT_WIDTH - x + 6, height + 0.2).fill('#f4f3f0')
      for (const bar of bars) doc.rect(PAGE.side + bar, flow.y - 2, 2, height + 2).fill('#d0d0cc')
      draw(line, x, flow.y)
      flow.y += height
    },
    gap: (height) => {
      if (flow.y > PAGE.top) flow.y += height
    },
    left: () => bottom() - flow.y,
    end: endPage,
  }
  return flow
}

export const noteHeight = (lines: Line[]) => lines.length * NOTE_LINE + 2

function drawPiece(doc: PDFKit.PDFDocument, { text, font, style, width }: Drawn, x: number, y: number): void {
  const top = y - (style.rise ?? 0)
  if (style.ground) doc.rect(x - 1, y - 0.5, width + 2, style.size * 1.32).fill('#f0efec')
  doc.font(font).fontSize(style.size).fillColor(style.color)
  // Fonts differ in their ascent; a line through the words is placed from the top.
  if (style.strike) doc.text(text, x, top, { ...drawnWith(text), lineBreak: false, strike: true })
  else {
    const place = { lineBreak: false, baseline: 'alphabetic' } as const
    doc.text(text, x, top + style.size * ASCENT, { ...drawnWith(text), ...place })
  }
  if (style.link) doc.link(x, y, width, style.size * 1.2, style.link)
}
