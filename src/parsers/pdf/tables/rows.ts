import type { Line } from '../lines/order.ts'
import type { Rule } from '../page/read-graphics.ts'
import { around, type Edges, type Run } from '../page/run.ts'
import { textOf } from './grid-table.ts'

export type Piece = Edges & { runs: Run[]; text: string }
export type Row = { line: Line; pieces: Piece[] }
export type Column = { from: number; to: number }

/** Texts further apart than this may belong to two cells, in font sizes. */
const CELL_GAP = 0.62
/** Maximum distance between two rows, in font sizes. */
const MAX_STEP = 3.2
/** The same for rows that share the columns of earlier rows. */
const MAX_STEP_IN_LINE = 7
/** Maximum consecutive rows of one piece within a table. */
const MAX_SINGLE = 2

/** A single bullet. The fonts Symbol and Wingdings map bullets to private-use characters. */
const BULLET = /^[•‣⁃◦∙·●○■□▪▫◆◇▸►▶➢➤❖✓✔✗☐☑☒\uf06f\uf076\uf0a7\uf0a8\uf0b7\uf0d8\uf0fc]$/u
/** A rule typed with characters. */
const RULER = /^[-–—=_+|][-–—=_+|\s]{2,}$/

export const isNumber = (text: string) => /^[^\p{L}]*\p{N}[^\p{L}]*$/u.test(text)
export const isRuler = ({ pieces }: Row) => pieces.length > 0 && pieces.every(({ text }) => RULER.test(text))
export const overlap = (piece: Edges, { from, to }: Column) =>
  Math.min(piece.right, to) - Math.max(piece.left, from)

/** Returns the columns in which a row has text. */
export const usedBy = (row: Row, columns: Column[]) =>
  columns.flatMap((column, at) => (row.pieces.some((piece) => overlap(piece, column) > 0) ? [at] : []))

export function toRow(line: Line): Row {
  return { line, pieces: piecesOf(line) }
}

function piecesOf(line: Line): Piece[] {
  const runs = line.segments.flatMap((segment) => segment.runs).sort((a, b) => a.left - b.left)
  const groups: Run[][] = []
  let right = Number.NEGATIVE_INFINITY
  for (const run of runs) {
    if (groups.length > 0 && run.left - right < CELL_GAP * line.size) groups.at(-1)?.push(run)
    else groups.push([run])
    right = Math.max(right, run.right)
  }
  if (line.segments.some(({ table }) => table)) return []
  // A bullet and its text are one cell.
  const cells: Run[][] = []
  for (const group of groups) {
    const before = cells.at(-1)
    if (before && BULLET.test(textOf(before).trim())) before.push(...group)
    else cells.push([...group])
  }
  return cells.map((group) => ({ ...around(group), runs: group, text: textOf(group) }))
}

/** Returns the end of the block of closely spaced rows that begins at `from`. A few rows of one piece may interrupt it. */
export function regionEnd(rows: Row[], from: number): number {
  const first = rows[from] as Row
  if (first.pieces.length < 2) return from
  let end = from + 1
  const seen = [...first.pieces]
  let single = 0
  for (let at = from + 1; at < rows.length && single <= MAX_SINGLE; at++) {
    const row = rows[at] as Row
    const before = (rows[at - 1] as Row).line
    const step = row.line.baseline - before.baseline
    const size = Math.max(row.line.size, before.size)
    if (step <= 0 || step > MAX_STEP_IN_LINE * size) break
    if (step > MAX_STEP * size && !(isUsual(rows, from, at) && standsInLine(rows, at, seen))) break
    if (isRuler(row)) continue
    if (row.pieces.length > 1) {
      end = at + 1
      seen.push(...row.pieces)
      single = 0
    } else if (end === at && isMoreOfCell(row, { before: rows[at - 1] as Row, first, seen })) end = at + 1
    else if ((row.pieces[0]?.left ?? 0) < (first.pieces[0]?.right ?? 0)) single++
    else single += 0.5
  }
  return end
}

/** Returns whether a row of one piece is the next line of a cell: right below it, and not in the first column. */
function isMoreOfCell(
  { line, pieces: [piece, ...others] }: Row,
  { before, first, seen }: { before: Row; first: Row; seen: Piece[] },
): boolean {
  // The distance to the head may be larger if a page break splits the row.
  const step = before === first ? MAX_STEP : 1.5
  if (!piece || others.length > 0 || line.baseline - before.line.baseline > step * line.size) return false
  const above = before.pieces.find(({ left }) => Math.abs(left - piece.left) < 0.3 * line.size)
  if (!above || piece.left < (first.pieces[0]?.right ?? 0)) return false
  // Text that reaches beyond the next column is not part of a cell.
  return !seen.some(({ left }) => left > above.left + line.size && left < piece.right)
}

/** Returns whether neighbouring rows are at a similar distance, so that the row is not text above or below a table. */
function isUsual(rows: Row[], from: number, at: number): boolean {
  const step = (one: number) => (rows[one] as Row).line.baseline - (rows[one - 1] as Row).line.baseline
  const near = at === from + 1 ? [at + 1, at + 2, at + 3, at + 4] : [at - 1, at - 2, at - 3, at - 4]
  return near.some((one) => one > from && one < rows.length && step(one) > 0.5 * step(at))
}

/** Returns whether the next row of several pieces is aligned with the pieces of earlier rows. */
function standsInLine(rows: Row[], from: number, seen: Piece[]): boolean {
  const step = (at: number) => (rows[at] as Row).line.baseline - (rows[at - 1] as Row).line.baseline
  for (let at = from; at < Math.min(rows.length, from + 3); at++) {
    const { line, pieces } = rows[at] as Row
    // The label of a group stands as far from its rows as they do from each other.
    if (at > from && step(at) > Math.max(1.6 * line.size, 1.1 * step(from))) return false
    if (pieces.length < 2) continue
    const inLine = pieces.filter((piece) =>
      seen.some((one) => overlap(one, { from: piece.left, to: piece.right }) > 0),
    ).length
    return inLine >= 2 && inLine >= 0.66 * pieces.length
  }
  return false
}

/** Groups lines into rows. The text of a cell may continue on the next line. */
export function joinRows(region: Row[], columns: Column[], rules: Rule[]): Row[][] {
  const steps = region.slice(1).map((row, at) => row.line.baseline - (region[at] as Row).line.baseline)
  const sorted = [...steps].sort((a, b) => a - b)
  const tight = sorted[Math.floor(sorted.length * 0.1)] ?? 0
  const loose = sorted[Math.floor(sorted.length * 0.7)] ?? 0
  const size = region[0]?.line.size ?? 10
  // A single wide step is the space below the head.
  const isSpaced = loose > 1.35 * tight && steps.filter((step) => step > (tight + loose) / 2).length > 1
  const gap = isSpaced ? null : gapIn(sorted, size)
  const isClear = isSpaced && loose > 1.6 * tight && tight < 1.45 * size
  const ruled = region.slice(1).map((row, at) => hasRuleBetween((region[at] as Row).line, row.line, rules))
  const isRuled = ruled.filter(Boolean).length >= 3
  const rows: Row[][] = []
  region.forEach((row, at) => {
    const before = rows.at(-1)
    const step = steps[at - 1] ?? 0
    const isClose = isSpaced ? step < (tight + loose) / 2 : step < (gap ?? Number.POSITIVE_INFINITY)
    const isSame = () => {
      if (!before || repeatsNumbers(before, row, columns)) return false
      if (isClear) return true
      return (
        goesOn(before, row, columns, isSpaced) || ((isRuled || gap !== null) && wraps(before, row, columns))
      )
    }
    if (before && !ruled[at - 1] && isClose && isSame()) before.push(row)
    else rows.push([row])
  })
  return rows
}

/** Returns the threshold between line spacing and row spacing; null if the distances have no clear gap. */
function gapIn(sorted: number[], size: number): number | null {
  for (let at = 2; at <= sorted.length - 2; at++) {
    const [lines, rows] = [sorted[at - 1] as number, sorted[at] as number]
    if (lines > 1.45 * size) return null
    if (rows > 1.2 * lines) return (lines + rows) / 2
  }
  return null
}

/** Returns whether both have numbers in the same column; a number never wraps to the next line. */
function repeatsNumbers(rows: Row[], next: Row, columns: Column[]): boolean {
  const numbers = (row: Row) =>
    columns.flatMap((column, at) =>
      row.pieces.some((piece) => overlap(piece, column) > 0 && isNumber(piece.text)) ? [at] : [],
    )
  const above = new Set(rows.flatMap(numbers))
  return numbers(next).some((column) => above.has(column))
}

export function hasRuleBetween(above: Line, below: Line, rules: Rule[]): boolean {
  return rules.some(
    ({ isHorizontal, at, from, to }) =>
      isHorizontal &&
      at > above.baseline - 1 &&
      at < below.baseline - 0.3 * below.size &&
      from < below.right &&
      to > below.left,
  )
}

function goesOn(rows: Row[], next: Row, columns: Column[], isSpaced: boolean): boolean {
  const [above, below] = [usedBy(rows.at(-1) as Row, columns), usedBy(next, columns)]
  const begun = usedBy(rows[0] as Row, columns)
  const isFirstEmpty = !below.includes(0)
  const starts = next.pieces[0]?.text ?? ''
  if (isSpaced) return below.length <= above.length || isFirstEmpty || /^\p{Ll}/u.test(starts)
  if (isFirstEmpty) return below.length < begun.length && next.pieces.every(({ text }) => !isNumber(text))
  const isLabelOnly = above.length === 1 && above[0] === 0
  return /^\p{Ll}/u.test(starts) && (isLabelOnly || (below.length === 1 && below[0] === 0))
}

/** Returns whether most texts look like a continuation of the line above. */
function wraps(rows: Row[], next: Row, columns: Column[]): boolean {
  const [above, below] = [usedBy(rows[0] as Row, columns), usedBy(next, columns)]
  const small = next.pieces.filter(({ text }) => /^\p{Ll}/u.test(text)).length
  return small >= 0.5 * next.pieces.length && below.every((column) => above.includes(column))
}
