import type { BlockCell, SheetEntry } from '#shared/knowledge/documents/kept-files.ts'

/** Pixels: height of a row and of the column letters, width of the row numbers. */
export const ROW = 28
export const HEAD = 26
export const SIDE = 52
export const LEAST_WIDTH = 40
const MOST_WIDTH = 800
const USUAL_WIDTH = 96
const MOST_FITTED = 240
/** Width of a character and padding of a cell, in pixels. */
const CHARACTER = 7
const WIDE_CHARACTER = 8
const ROOM = 16
const FITTED_ROOM = 24

/** Rows and columns rendered beyond the viewport; rows change in steps of this size. */
const SPARE_ROWS = 8
const SPARE_COLUMNS = 1

/** A row, as a list of its non-empty cells. */
export type Row = readonly BlockCell[]
export type Spread = { first: number; last: number }
export type Frozen = { rows: number; columns: number }
export type Screen = { top: number; left: number; width: number; height: number }

/** Returns the size of the grid, with empty rows and columns after the last cell. */
export function sizeOf({ rows, columns }: SheetEntry): { rows: number; columns: number } {
  return { rows: Math.max(rows + 4, 40), columns: Math.max(columns + 1, 14) }
}

/** Returns column widths in pixels: from the file, otherwise from the content of the first rows. */
export function widthsOf({ widths }: SheetEntry, columns: number, firstRows: readonly Row[]): number[] {
  const longest = longestIn(firstRows)
  return Array.from({ length: columns }, (_, column) => {
    const characters = widths[column]
    if (characters != null) return clampWidth(characters * CHARACTER + ROOM)
    return clampWidth(Math.max(USUAL_WIDTH, Math.min(MOST_FITTED, widthOf(longest.get(column) ?? 0))))
  })
}

/** Returns the maximum width in pixels of a text with this many characters, with padding. */
export const widthOf = (characters: number) => characters * WIDE_CHARACTER + FITTED_ROOM

/** Returns the length of the longest value per column. */
function longestIn(rows: readonly Row[]): Map<number, number> {
  const longest = new Map<number, number>()
  for (const row of rows) for (const { c, v } of row) longest.set(c, Math.max(longest.get(c) ?? 0, v.length))
  return longest
}

export const clampWidth = (width: number) => Math.min(MOST_WIDTH, Math.max(LEAST_WIDTH, Math.round(width)))

/** Returns the left edge of each column, and the total width as the last entry. */
export function edgesOf(widths: readonly number[]): number[] {
  const edges = [0]
  for (const width of widths) edges.push((edges.at(-1) ?? 0) + width)
  return edges
}

/** Returns the frozen rows and columns, limited so that more than half of the view can scroll. */
export function frozenOf({ frozen }: SheetEntry, edges: readonly number[], screen: Screen): Frozen {
  const rows = Math.min(frozen.rows, Math.floor(screen.height / 2 / ROW))
  let columns = Math.min(frozen.columns, edges.length - 1)
  while (columns > 0 && (edges[columns] ?? 0) + SIDE > screen.width / 2) columns -= 1
  return { rows, columns }
}

/** Returns the visible rows with a margin. */
export function rowsOn({ top, height }: Screen, count: number): Spread {
  const step = (row: number) => Math.floor(row / SPARE_ROWS) * SPARE_ROWS
  return {
    first: Math.max(0, step(top / ROW) - SPARE_ROWS),
    last: Math.min(count - 1, step((top + height) / ROW) + 2 * SPARE_ROWS - 1),
  }
}

/** Returns the visible columns with a margin. */
export function columnsOn({ left, width }: Screen, edges: readonly number[]): Spread {
  const count = edges.length - 1
  return {
    first: Math.max(0, columnAt(edges, left) - SPARE_COLUMNS),
    last: Math.min(count - 1, columnAt(edges, left + width) + SPARE_COLUMNS),
  }
}

/** Returns the column at a distance from the left edge of the first, at most the last column. */
export function columnAt(edges: readonly number[], x: number): number {
  let [low, high] = [0, edges.length - 2]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((edges[middle] ?? 0) <= x) low = middle
    else high = middle - 1
  }
  return Math.max(0, low)
}

/** Returns the cell at a point; -1 for the column letters and row numbers. */
export function cellAt(
  { x, y }: { x: number; y: number },
  { top, left }: Screen,
  edges: readonly number[],
  frozen: Frozen,
  rows: number,
): { row: number; column: number } {
  const isFrozenRow = y < HEAD + frozen.rows * ROW
  const isFrozenColumn = x < SIDE + (edges[frozen.columns] ?? 0)
  const row = Math.floor((y - HEAD + (isFrozenRow ? 0 : top)) / ROW)
  return {
    row: y < HEAD ? -1 : Math.min(rows - 1, row),
    column: x < SIDE ? -1 : columnAt(edges, x - SIDE + (isFrozenColumn ? 0 : left)),
  }
}

/** Returns the scroll position that brings a cell next to the frozen area; unchanged when it is visible. */
export function scrollTo(
  { row, column }: { row: number; column: number },
  { top, left, width, height }: Screen,
  edges: readonly number[],
  frozen: Frozen,
): { top: number; left: number } {
  const [start, end] = [edges[column] ?? 0, edges[column + 1] ?? 0]
  const [above, beside] = [HEAD + frozen.rows * ROW, SIDE + (edges[frozen.columns] ?? 0)]
  const rows = { least: (row + 1) * ROW + HEAD - height, most: HEAD + row * ROW - above }
  const columns = { least: end + SIDE - width, most: SIDE + start - beside }
  // Frozen cells are always visible; for the first cell, scroll to the start.
  return {
    top: row > 0 && row < frozen.rows ? top : within(top, rows),
    left: column > 0 && column < frozen.columns ? left : within(left, columns),
  }
}

/** Returns the allowed value nearest to `now`; for content wider than the view, its start. */
function within(now: number, { least, most }: { least: number; most: number }): number {
  return Math.max(0, Math.min(Math.max(now, least), most))
}
