import type { Box, PageBox } from '../../src/parsers/elements/port.ts'
import { buildPdf, line, type PdfPage, write } from './pdf.ts'

/** A number that occurs once in a document, and its place on the displayed page. */
export type Placed = { number: string; page: number; box: Box }

/** Kinds of pages, in order. */
const kinds = [
  ...(['plain', 'turned 90', 'turned 180', 'turned 270', 'cropped', 'cropped and turned'] as const),
  ...(['sideways text', 'columns', 'right to left', 'table', 'end of the table'] as const),
] as const
type Kind = (typeof kinds)[number]

/** Approximate widths of Helvetica's digits and of the glyphs of the font for any script, as shares of their height. */
const DIGIT = 0.556
const ANY = 0.5
const SIZE = 9
const words = 'the parts of a document stand where its numbers say they do'
const arabic = [...'الأرقام تدل على أماكن النص'].reverse().join('')

/** Creates a PDF of this many pages of all kinds in turn, with a number in every line and cell. */
export function placedPages(count: number): { bytes: Uint8Array; placed: Placed[] } {
  const placed: Placed[] = []
  let last = 100_000
  const pages = Array.from({ length: count }, (_, at): PdfPage => {
    const kind = kinds[at % kinds.length] as Kind
    const page = pageOf(kind)
    const { content, numbers } = fill(kind, () => String(++last))
    for (const { number, ...corners } of numbers)
      placed.push({ number, page: at + 1, box: shown(corners, page) })
    return { ...page, content }
  })
  return { bytes: buildPdf(pages), placed }
}

type Frame = Required<Pick<PdfPage, 'width' | 'height' | 'rotate' | 'cropBox'>>
type Corners = { left: number; bottom: number; right: number; top: number }
type Filled = { content: string[]; numbers: (Corners & { number: string })[] }

function pageOf(kind: Kind): Frame {
  const turn = { 'turned 90': 90, 'turned 180': 180, 'turned 270': 270, 'cropped and turned': 90 } as const
  const isCropped = kind.startsWith('cropped')
  return {
    width: 600,
    height: 800,
    rotate: kind in turn ? turn[kind as keyof typeof turn] : 0,
    cropBox: isCropped ? [30, 60, 580, 770] : [0, 0, 600, 800],
  }
}

function fill(kind: Kind, next: () => string): Filled {
  if (kind === 'sideways text') return flow(next, { x: 60, lines: 40, angle: 90 })
  if (kind === 'right to left') return flow(next, { x: 100, lines: 45, isArabic: true })
  if (kind === 'table') return table(next, 400, 17)
  if (kind === 'end of the table') return table(next, 780, 30)
  if (kind !== 'columns') return flow(next, { x: 60, lines: 45 })
  const [left, right] = [flow(next, { x: 50, lines: 45 }), flow(next, { x: 330, lines: 45 })]
  return { content: [...left.content, ...right.content], numbers: [...left.numbers, ...right.numbers] }
}

/** Draws lines below each other, with a larger gap after every tenth. */
function flow(
  next: () => string,
  { x, lines, angle = 0, isArabic = false }: { x: number; lines: number; angle?: 90 | 0; isArabic?: boolean },
): Filled {
  const result: Filled = { content: [], numbers: [] }
  for (let at = 0; at < lines; at++) {
    const number = next()
    const step = 740 - at * 12 - Math.floor(at / 10) * 14
    const width = (isArabic ? ANY : DIGIT) * SIZE * number.length
    if (angle === 90) {
      const across = 800 - step
      result.content.push(write(across, 60, `${number} ${words}`, { size: SIZE, angle }))
      result.numbers.push({ number, left: across - SIZE, right: across, bottom: 60, top: 60 + width })
    } else if (isArabic) {
      result.content.push(write(500 - width, step, number, { size: SIZE, font: 'any' }))
      const end = 500 - width - 4 - arabic.length * ANY * SIZE
      result.content.push(write(end, step, arabic, { size: SIZE, font: 'any' }))
      result.numbers.push({ number, left: 500 - width, right: 500, bottom: step, top: step + SIZE })
    } else {
      result.content.push(write(x, step, `${number} ${words}`, { size: SIZE }))
      result.numbers.push({ number, left: x, right: x + width, bottom: step, top: step + SIZE })
    }
  }
  return result
}

function table(next: () => string, top: number, rows: number): Filled {
  const result: Filled = { content: [], numbers: [] }
  const columns = [80, 230, 380, 530]
  for (let row = 0; row <= rows; row++) result.content.push(line(80, top - row * 20, 530, top - row * 20))
  for (const x of columns) result.content.push(line(x, top, x, top - rows * 20))
  for (let row = 0; row < rows; row++)
    for (const x of columns.slice(0, 3)) {
      const y = top - row * 20 - 14
      const number = row === 0 ? 'Part' : next()
      result.content.push(write(x + 5, y, number, { size: SIZE }))
      const right = x + 5 + DIGIT * SIZE * number.length
      if (row > 0) result.numbers.push({ number, left: x + 5, right, bottom: y, top: y + SIZE })
    }
  return result
}

/** Converts corners on the page to shares of the displayed part: cropped, then rotated clockwise. */
function shown({ left, bottom, right, top }: Corners, { cropBox, rotate }: Frame): Box {
  const [x0, y0, x1, y1] = cropBox
  const [l, r] = [(left - x0) / (x1 - x0), (right - x0) / (x1 - x0)]
  const [t, b] = [(y1 - top) / (y1 - y0), (y1 - bottom) / (y1 - y0)]
  if (rotate === 90) return [1 - b, l, 1 - t, r]
  if (rotate === 180) return [1 - r, 1 - b, 1 - l, 1 - t]
  return rotate === 270 ? [t, 1 - r, b, 1 - l] : [l, t, r, b]
}

/**
 * Returns whether the boxes of a text cover all its numbers and little else: nine of ten numbers in them belong to the
 * text. Null if it contains no number.
 */
export function liesOverItsText(text: string, boxes: PageBox[], placed: Map<string, Placed>): boolean | null {
  const held = new Set(text.match(/\b\d{6}\b/g)?.filter((number) => placed.has(number)))
  if (held.size === 0) return null
  const isCovered = ({ page, box: [left, top, right, bottom] }: Placed) => {
    const [x, y] = [(left + right) / 2, (top + bottom) / 2]
    return boxes.some(
      ({ page: on, box }) => on === page && box[0] <= x && x <= box[2] && box[1] <= y && y <= box[3],
    )
  }
  const covered = [...placed.values()].filter(isCovered)
  const own = covered.filter(({ number }) => held.has(number)).length
  return own === held.size && own >= 0.9 * covered.length
}
