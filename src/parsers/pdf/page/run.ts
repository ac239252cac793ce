import type { Box } from '../../elements/port.ts'
import type { Role } from './tags.ts'

/** Clockwise rotation of text on the displayed page, in degrees. */
export type Turn = 0 | 90 | 180 | 270

/** Edges in points, from the upper left corner. */
export type Edges = { left: number; top: number; right: number; bottom: number }

/** Text of one font in one line. Its edges are on the page rotated so that the text is upright. */
export type Run = Edges & {
  text: string
  /** Font size in points. */
  size: number
  baseline: number
  font: string
  /** Emphasis of the font; absent if the fonts of the page are unknown. */
  stress?: 'bold' | 'italic' | null
  /** Its role in the tagged structure. */
  role?: Role
  isRightToLeft: boolean
  /** Id of its part of the tagged structure. */
  mark?: string
  /** The run of which this is a word. */
  whole?: Run
}

/** A picture on the page. `images` has the names or pixels of its parts. */
export type Picture = Edges & { isPicture: true; images?: unknown[] }

/** Size of the displayed page, in points. */
export type Size = { width: number; height: number }

/** Converts a point of the displayed page to the page rotated so that text of this turn is upright. */
export function turnPoint(x: number, y: number, turn: Turn, { width, height }: Size): [number, number] {
  if (turn === 90) return [y, width - x]
  if (turn === 180) return [width - x, height - y]
  return turn === 270 ? [height - y, x] : [x, y]
}

/** Converts edges on the rotated page to a box on the displayed page, cut off at its edges. */
export function boxOf(edges: Edges, turn: Turn, { width, height }: Size): Box {
  const back = shownEdges(edges, turn, { width, height })
  const share = (value: number, whole: number) => round(Math.min(1, Math.max(0, value / whole)))
  return [
    share(back.left, width),
    share(back.top, height),
    share(back.right, width),
    share(back.bottom, height),
  ]
}

/** Converts edges on the rotated page to edges on the displayed page, which may be outside of it. */
export function shownEdges(edges: Edges, turn: Turn, { width, height }: Size): Edges {
  const { left, top, right, bottom } = edges
  if (turn === 90) return { left: width - bottom, top: left, right: width - top, bottom: right }
  if (turn === 180)
    return { left: width - right, top: height - bottom, right: width - left, bottom: height - top }
  if (turn === 270) return { left: top, top: height - right, right: bottom, bottom: height - left }
  return edges
}

/** Returns the bounding box. */
export function around(all: Edges[]): Edges {
  return {
    left: Math.min(...all.map(({ left }) => left)),
    top: Math.min(...all.map(({ top }) => top)),
    right: Math.max(...all.map(({ right }) => right)),
    bottom: Math.max(...all.map(({ bottom }) => bottom)),
  }
}

const round = (value: number) => Math.round(value * 10_000) / 10_000
