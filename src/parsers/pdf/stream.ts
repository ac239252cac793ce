import { inReadingOrder, textOf } from './grid-table.ts'
import type { Line } from './order.ts'
import type { Rule } from './page/read-graphics.ts'
import { around, type Edges, type Run } from './page/run.ts'
import type { Table, TableCell } from './page-table.ts'

/** Texts further apart than this may stand in two cells, in heights of the letters. */
const CELL_GAP = 0.62
/** A strip is free when at most this share of the rows crosses it. */
const MAX_CROSSING = 0.07

/** A bullet alone. Symbol and Wingdings map theirs to private-use characters. */
const BULLET = /^[•‣⁃◦∙·●○■□▪▫◆◇▸►▶➢➤❖✓✔✗☐☑☒\uf06f\uf076\uf0a7\uf0a8\uf0b7\uf0d8\uf0fc]$/u
const BULLETED = /^[•‣⁃◦∙·●○■□▪▫◆◇▸►▶➢➤❖✓✔✗☐☑☒\uf06f\uf076\uf0a7\uf0a8\uf0b7\uf0d8\uf0fc]\s*\S/u

type Piece = Edges & { runs: Run[]; text: string }
type Row = { line: Line; pieces: Piece[] }
type Column = { from: number; to: number }

/** Lines in order, and in place of those that stand in columns of cells, tables. `isStrict` finds only what is surely one. */
export function findStreamTables(lines: Line[], rules: Rule[], isStrict = false): (Line | Table)[] {
  const rows = lines.map((line) => ({ line, pieces: piecesOf(line) }))
  const result: (Line | Table)[] = []
  for (let at = 0; at < rows.length; ) {
    const end = regionEnd(rows, at)
    const table = end > at ? toTable(rows.slice(at, end), rules, isStrict) : null
    if (table) {
      result.push(table)
      at = end
    } else result.push((rows[at++] as Row).line)
  }
  return result
}

export const isTable = (one: Line | Table): one is Table => 'cells' in one

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

/** Where rows of several pieces that follow each other closely end; single pieces may stand between them. */
function regionEnd(rows: Row[], from: number): number {
  if ((rows[from] as Row).pieces.length < 2) return from
  let end = from + 1
  for (let at = from + 1; at < rows.length && at - end < 3; at++) {
    const { line, pieces } = rows[at] as Row
    const before = (rows[at - 1] as Row).line
    const step = line.baseline - before.baseline
    if (step <= 0 || step > 3.2 * Math.max(line.size, before.size)) break
    if (pieces.length > 1) end = at + 1
  }
  return end
}

function toTable(region: Row[], rules: Rule[], isStrict: boolean): Table | null {
  const several = region.filter(({ pieces }) => pieces.length > 1)
  const columns = columnsOf(several)
  const needed = columns.length > 2 ? 2 : 3
  if (columns.length < (isStrict ? 3 : 2) || several.length < (isStrict ? 3 : needed)) return null
  if (!isTabular(several, columns, isStrict)) return null
  const rows = joinRows(region, columns, rules)
  const cells = rows.flatMap((row, at) => cellsOf(row, at, columns))
  const runs = cells.flatMap((cell) => cell.runs)
  return inReadingOrder({ ...around(cells), rows: rows.length, columns: columns.length, cells, runs })
}

/** The strips that text stands in, parted by strips nearly all rows leave free. */
function columnsOf(rows: Row[]): Column[] {
  if (rows.length === 0) return []
  const edges = rows.flatMap(({ pieces }) => pieces)
  const { left, right } = around(edges)
  const width = Math.ceil(right - left) + 1
  if (width > 5000) return []
  const crossing = new Uint16Array(width)
  for (const { pieces } of rows)
    for (const piece of pieces)
      for (let x = Math.floor(piece.left - left + 0.5); x <= piece.right - left - 0.5; x++)
        crossing[x] = (crossing[x] ?? 0) + 1
  const allowed = Math.floor(MAX_CROSSING * rows.length)
  const minimum = 0.35 * medianSize(rows)
  const columns: Column[] = []
  let freeFrom = 0
  for (let x = 0; x < width; x++) {
    if ((crossing[x] ?? 0) <= allowed) continue
    const last = columns.at(-1)
    if (last && x - freeFrom < minimum) last.to = left + x + 1
    else columns.push({ from: left + x, to: left + x + 1 })
    freeFrom = x + 1
  }
  return columns.filter((column) =>
    rows.some(({ pieces }) => pieces.some((piece) => overlap(piece, column) > 0)),
  )
}

const overlap = (piece: Piece, { from, to }: Column) => Math.min(piece.right, to) - Math.max(piece.left, from)

/** Cells are short, or numbers, and most rows have several of them. */
function isTabular(rows: Row[], columns: Column[], isStrict: boolean): boolean {
  const pieces = rows.flatMap((row) => row.pieces)
  const numbers = pieces.filter(({ text }) => /^[^\p{L}]*\p{N}[^\p{L}]*\p{L}{0,2}$/u.test(text)).length
  if (pieces.filter(({ text }) => BULLETED.test(text)).length > 0.5 * pieces.length) return false
  const long = pieces.filter(({ text }) => text.length > 45).length
  const filled = rows.reduce(
    (sum, row) =>
      sum + columns.filter((column) => row.pieces.some((piece) => overlap(piece, column) > 0)).length,
    0,
  )
  const share = filled / (rows.length * columns.length)
  if (isStrict) return numbers > 0.3 * pieces.length && long < 0.1 * pieces.length && share > 0.5
  if (columns.length === 2 && numbers < 0.2 * pieces.length && long > 0.3 * pieces.length) return false
  return share > 0.4 && long < 0.35 * pieces.length
}

/** Lines of the same row: a cell's text that goes on in the next line. */
function joinRows(region: Row[], columns: Column[], rules: Rule[]): Row[][] {
  const steps = region.slice(1).map((row, at) => row.line.baseline - (region[at] as Row).line.baseline)
  const sorted = [...steps].sort((a, b) => a - b)
  const tight = sorted[Math.floor(sorted.length * 0.1)] ?? 0
  const loose = sorted[Math.floor(sorted.length * 0.7)] ?? 0
  const isSpaced = loose > 1.35 * tight
  const rows: Row[][] = []
  region.forEach((row, at) => {
    const before = rows.at(-1)
    const step = steps[at - 1] ?? 0
    const isRuled = at > 0 && hasRuleBetween((region[at - 1] as Row).line, row.line, rules)
    const isClose = isSpaced ? step < (tight + loose) / 2 : true
    if (before && !isRuled && isClose && goesOn(before, row, columns, isSpaced)) before.push(row)
    else rows.push([row])
  })
  return rows
}

function hasRuleBetween(above: Line, below: Line, rules: Rule[]): boolean {
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
  const last = rows.at(-1) as Row
  const used = (row: Row) =>
    columns.flatMap((column, at) => (row.pieces.some((piece) => overlap(piece, column) > 0) ? [at] : []))
  const [above, below] = [used(last), used(next)]
  const isFirstEmpty = !below.includes(0)
  const starts = next.pieces[0]?.text ?? ''
  if (isSpaced) return below.length <= above.length || isFirstEmpty || /^\p{Ll}/u.test(starts)
  if (isFirstEmpty) return below.length < above.length && next.pieces.every(({ text }) => !isNumber(text))
  const isLabelOnly = above.length === 1 && above[0] === 0
  return /^\p{Ll}/u.test(starts) && (isLabelOnly || (below.length === 1 && below[0] === 0))
}

const isNumber = (text: string) => /^[^\p{L}]*\p{N}[^\p{L}]*$/u.test(text)

function cellsOf(lines: Row[], row: number, columns: Column[]): TableCell[] {
  const cells = new Map<string, { from: number; to: number; runs: Run[] }>()
  for (const piece of lines.flatMap(({ pieces }) => pieces)) {
    const touched = columns.flatMap((column, at) => (overlap(piece, column) > 1 ? [at] : []))
    const from = touched[0] ?? nearest(piece, columns)
    const to = touched.at(-1) ?? from
    const existing = [...cells.values()].find((cell) => cell.from <= to && from <= cell.to)
    if (existing) {
      existing.runs.push(...piece.runs)
      existing.from = Math.min(existing.from, from)
      existing.to = Math.max(existing.to, to)
    } else cells.set(`${from}`, { from, to, runs: [...piece.runs] })
  }
  return [...cells.values()].map(({ from, to, runs }) => ({
    ...around(runs),
    row,
    column: from,
    rowSpan: 1,
    columnSpan: to - from + 1,
    text: textOf(runs),
    runs,
  }))
}

function nearest(piece: Piece, columns: Column[]): number {
  const middle = (piece.left + piece.right) / 2
  const distance = ({ from, to }: Column) => Math.abs(middle - (from + to) / 2)
  return columns.reduce(
    (best, column, at) => (distance(column) < distance(columns[best] as Column) ? at : best),
    0,
  )
}

function medianSize(rows: Row[]): number {
  const sizes = rows.map(({ line }) => line.size).sort((a, b) => a - b)
  return sizes[Math.floor(sizes.length / 2)] ?? 10
}
