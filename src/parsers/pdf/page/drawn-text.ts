import { OPS, type PDFPageProxy, Util } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { around, type Edges, type Size } from './run.ts'

/** A text instruction. `x` and `y` are the start of its line on the displayed page; `at` is its index among all instructions. */
export type DrawnText = {
  at: number
  text: string
  x: number
  y: number
  /** Letters beyond the edges of the page, assuming that the text begins at the start of its line. */
  cut: string
  /** Text rendering mode of PDF. */
  mode: number
  color: string | null
  /** Transparent or on a hidden layer. */
  isFaint: boolean
  /** Clipping area; null for the whole page. */
  clip: Edges | null
}
/**
 * A painted area, in coordinates of the displayed page. `color` is null for pictures, patterns and shapes other than rectangles.
 * `isOpaque` if nothing shows through it.
 */
export type Background = Edges & { at: number; color: string | null; isOpaque: boolean }
/** Visibility of the layers of the file. */
export type Layers = { isVisible(group: unknown): boolean }
export type Drawn = { texts: DrawnText[]; backgrounds: Background[] }

type Shown = number | { unicode?: string; width?: number } | null
type State = {
  matrix: number[]
  line: number[]
  leading: number
  size: number
  mode: number
  color: string | null
  alpha: number
  isBlended: boolean
  clip: Edges | null
}

const FILLS = new Set([OPS.fill, OPS.eoFill, OPS.fillStroke, OPS.eoFillStroke])
const PICTURES = new Set([
  OPS.paintImageXObject,
  OPS.paintInlineImageXObject,
  OPS.paintImageMaskXObject,
  OPS.paintImageXObjectRepeat,
])
/** Letters whose baseline is this far above or below the page, in points, may still be visible on it. */
const MARGIN = 20
const MAX_BACKGROUNDS = 5_000
/** Thinner areas, in points, are lines. */
const MIN_SIDE = 4

/** Text with a lower opacity than this is invisible. */
const MIN_ALPHA = 0.05
const OPAQUE = 0.95

/** Returns the texts and painted areas of a page. */
export async function readDrawn(page: PDFPageProxy, layers: Layers): Promise<Drawn> {
  const { fnArray, argsArray } = await page.getOperatorList()
  const drawn: Drawn = { texts: [], backgrounds: [] }
  const saved: State[] = []
  const { transform: matrix, width, height } = page.getViewport({ scale: 1 })
  const initial: State = {
    ...{ matrix, line: IDENTITY, leading: 0, size: 0, mode: 0, color: '#000000' },
    ...{ alpha: 1, isBlended: false, clip: null },
  }
  const groups: boolean[] = []
  let isClipping = false
  let state = { ...initial }
  const cover = (at: number, corners: [number, number][], color: string | null) => {
    const edges = placeCorners(state.matrix, corners)
    const side = Math.min(edges.right - edges.left, edges.bottom - edges.top)
    if (side >= MIN_SIDE && drawn.backgrounds.length < MAX_BACKGROUNDS)
      drawn.backgrounds.push({ at, ...edges, color, isOpaque: state.alpha >= OPAQUE && !state.isBlended })
  }
  for (const [at, instruction] of fnArray.entries()) {
    const args = argsArray[at]
    if (instruction === OPS.save || instruction === OPS.paintFormXObjectBegin) saved.push({ ...state })
    if (instruction === OPS.restore || instruction === OPS.paintFormXObjectEnd)
      state = saved.pop() ?? { ...initial }
    else if (instruction === OPS.transform) state.matrix = Util.transform(state.matrix, args)
    else if (instruction === OPS.paintFormXObjectBegin && args?.[0])
      state.matrix = Util.transform(state.matrix, args[0])
    else if (instruction === OPS.setFont) state.size = Number(args[1]) || 0
    else if (instruction === OPS.setTextRenderingMode) state.mode = args[0]
    else if (instruction === OPS.setFillRGBColor) state.color = String(args[0])
    else if (instruction === OPS.setFillColorN) state.color = null
    else if (instruction === OPS.showText) {
      const [a = 1, b = 0, , , x = 0, y = 0] = Util.transform(state.matrix, state.line)
      const cut = cutOf(args[0], { x, y, across: state.size * a, down: state.size * b }, { width, height })
      const { mode, color, clip } = state
      const isFaint = state.alpha < MIN_ALPHA || groups.includes(false)
      drawn.texts.push({ at, text: textOf(args[0]), x, y, cut, mode, color, isFaint, clip })
    } else if (instruction === OPS.setGState) setState(state, args[0])
    else if (BEGINS.has(instruction)) groups.push(args?.[0] !== 'OC' || layers.isVisible(args[1]))
    else if (instruction === OPS.endMarkedContent) groups.pop()
    else if (instruction === OPS.clip || instruction === OPS.eoClip) isClipping = true
    else if (isClipping && instruction === OPS.constructPath) {
      isClipping = false
      if (args[2]) state.clip = shared(state.clip, placeCorners(state.matrix, cornersOf(args[2])))
    } else if (LINES.has(instruction)) moveLine(state, instruction, args)
    else if (PICTURES.has(instruction)) cover(at, UNIT, null)
    else if (instruction === OPS.shadingFill) cover(at, EVERYWHERE, null)
    else if (instruction === OPS.constructPath && FILLS.has(args[0]) && args[2])
      cover(at, cornersOf(args[2]), isRectangle(args[1]?.[0]) ? state.color : null)
  }
  return drawn
}

const BEGINS = new Set([OPS.beginMarkedContent, OPS.beginMarkedContentProps])

function setState(state: State, entries: [string, unknown][]): void {
  for (const [name, value] of entries) {
    if (name === 'ca') state.alpha = Number(value)
    if (name === 'BM') state.isBlended = value !== 'source-over' && value !== 'Normal'
  }
}

/** Returns the intersection of two areas; an empty one has no width. */
function shared(a: Edges | null, b: Edges): Edges {
  if (!a) return b
  const [left, top] = [Math.max(a.left, b.left), Math.max(a.top, b.top)]
  return {
    left,
    top,
    right: Math.max(left, Math.min(a.right, b.right)),
    bottom: Math.max(top, Math.min(a.bottom, b.bottom)),
  }
}

const IDENTITY = [1, 0, 0, 1, 0, 0]
const UNIT: [number, number][] = [
  [0, 0],
  [1, 1],
]
const EVERYWHERE: [number, number][] = [
  [-1e6, -1e6],
  [1e6, 1e6],
]
const cornersOf = ([left = 0, top = 0, right = 0, bottom = 0]: number[]): [number, number][] => [
  [left, top],
  [right, bottom],
]

function placeCorners(matrix: number[], corners: [number, number][]): Edges {
  const [a, b, c, d, e, f] = matrix as [number, number, number, number, number, number]
  return around(
    corners.map(([x, y]) => {
      const [left, top] = [a * x + c * y + e, b * x + d * y + f]
      return { left, top, right: left, bottom: top }
    }),
  )
}

/** Returns whether a path is a single axis-parallel rectangle. pdf.js encodes 0 as move, 1 as line and 4 as close. */
function isRectangle(data: ArrayLike<number> | null | undefined): boolean {
  if (!data) return false
  const points: [number, number][] = []
  for (let at = 0; at < data.length; ) {
    const step = data[at]
    if (step !== 0 && step !== 1 && step !== 4) return false
    if (step === 0 && points.length > 0) return false
    if (step !== 4) points.push([data[at + 1] ?? 0, data[at + 2] ?? 0])
    at += step === 4 ? 1 : 3
  }
  if (points.length < 4 || points.length > 5) return false
  return points.every(([x, y], at) => {
    const [lastX, lastY] = points[at - 1] ?? [x, y]
    return Math.abs(x - lastX) < 0.01 || Math.abs(y - lastY) < 0.01
  })
}

const LINES = new Set([
  ...[OPS.beginText, OPS.setTextMatrix, OPS.moveText, OPS.setLeadingMoveText, OPS.nextLine, OPS.setLeading],
])

/** Updates the start of the next line of text. */
function moveLine(state: State, instruction: number, args: number[] | [number[]] | null): void {
  const numbers = (Array.isArray(args?.[0]) || ArrayBuffer.isView(args?.[0]) ? args?.[0] : args) as number[]
  const move = (x: number, y: number) => {
    state.line = Util.transform(state.line, [1, 0, 0, 1, x, y])
  }
  if (instruction === OPS.beginText) state.line = IDENTITY
  else if (instruction === OPS.setTextMatrix) state.line = Array.from(numbers)
  else if (instruction === OPS.setLeading) state.leading = -(numbers[0] ?? 0)
  else if (instruction === OPS.nextLine) move(0, state.leading)
  else {
    if (instruction === OPS.setLeadingMoveText) state.leading = numbers[1] ?? 0
    move(numbers[0] ?? 0, numbers[1] ?? 0)
  }
}

type Line = { x: number; y: number; across: number; down: number }

/** Returns the letters that begin beyond an edge of the page. `across` and `down` are the font size along the line. */
function cutOf(glyphs: Shown[], { x, y, across, down }: Line, { width, height }: Size): string {
  let [along, cut] = [0, '']
  for (const glyph of glyphs) {
    const isLetter = typeof glyph !== 'number'
    const step = isLetter ? (glyph?.width ?? 0) / 1000 : -glyph / 1000
    // A letter that begins before an edge is partly visible.
    const [left, top] = [x + Math.max(along * across, (along + step) * across), y + along * down]
    const isOutside = left < 0 || x + along * across > width || top < -MARGIN || top > height + MARGIN
    if (isLetter && isOutside) cut += glyph?.unicode ?? ''
    along += step
  }
  return cut.normalize('NFKC')
}

const textOf = (glyphs: Shown[]): string =>
  glyphs
    .map((glyph) => {
      // Large offsets separate words.
      if (typeof glyph === 'number') return glyph < -200 ? ' ' : ''
      return glyph?.unicode ?? ''
    })
    .join('')
    .normalize('NFKC')
