import type { Line } from '../lines/order.ts'
import type { Table, TableCell } from '../lines/page-table.ts'
import { LIST_MARK } from '../lines/paragraphs.ts'
import type { Rule } from '../page/read-graphics.ts'
import { around, type Run } from '../page/run.ts'
import { columnsOf, nearest } from './columns.ts'
import { inReadingOrder, textOf } from './grid-table.ts'
import { spanHeads } from './head-spans.ts'
import {
  type Column,
  hasRuleBetween,
  isRuler,
  joinRows,
  overlap,
  type Row,
  regionEnd,
  toRow,
} from './rows.ts'
import { partSideBySide } from './side-by-side.ts'
import { partTightColumns } from './tight-columns.ts'
import { partTightNumbers } from './tight-numbers.ts'

const BULLETED = /^[•‣⁃◦∙·●○■□▪▫◆◇▸►▶➢➤❖✓✔✗☐☑☒\uf06f\uf076\uf0a7\uf0a8\uf0b7\uf0d8\uf0fc]\s*\S/u
const CAPTION = /^(?:table|tableau|tabelle|tabla|figure)\s*\d+/iu

/** Replaces lines that form tables by the tables. With `isStrict`, finds unambiguous tables only. */
export function findStreamTables(lines: Line[], rules: Rule[], isStrict = false): (Line | Table)[] {
  const rows = lines.map(toRow)
  const result: (Line | Table)[] = []
  for (let at = 0; at < rows.length; ) {
    const row = rows[at] as Row
    const isCaptions = areCaptions(row)
    const end = isCaptions ? at : regionEnd(rows, at)
    const hasCaptions = at > 0 && areCaptions(rows[at - 1] as Row)
    const tables = end > at ? toTables(rows.slice(at, end), rules, { isStrict, hasCaptions }) : []
    if (tables.length > 0) {
      result.push(...tables)
      at = end
    } else {
      result.push(row.line)
      at++
    }
  }
  return result
}

export const isTable = (one: Line | Table): one is Table => 'cells' in one

const areCaptions = ({ pieces }: Row) => pieces.length > 1 && pieces.every(({ text }) => CAPTION.test(text))

/** Returns the table of these rows, two if they are side by side, or none. */
function toTables(
  region: Row[],
  drawn: Rule[],
  { isStrict, hasCaptions }: { isStrict: boolean; hasCaptions: boolean },
): Table[] {
  const written = region.filter(isRuler).flatMap(({ line, pieces }) =>
    pieces.map(({ left, right }) => ({
      isHorizontal: true,
      at: line.baseline - 0.3 * line.size,
      from: left,
      to: right,
    })),
  )
  const rules = [...drawn, ...written]
  // Dashes below column labels prove a table.
  const hasDoubt = isStrict && !region.some((row) => isRuler(row) && countDashes(row) > 2)
  const rows = partTightNumbers(
    partTightColumns(
      region.filter((row) => !isRuler(row)),
      region.filter(isRuler),
    ),
  )
  const columns = columnsOf(rows.filter(({ pieces }) => pieces.length > 1))
  const sides = partSideBySide(rows, columns, { rules, hasCaptions })
  if (sides) {
    const tables = sides.flatMap((side) => toTable(side, rules, hasDoubt) ?? [])
    if (tables.length === 2) return tables
  }
  const table = toTable(rows, rules, hasDoubt)
  return table ? [table] : []
}

function toTable(region: Row[], rules: Rule[], isStrict: boolean): Table | null {
  const several = region.filter(({ pieces }) => pieces.length > 1)
  const columns = columnsOf(several)
  const needed = columns.length > 2 ? 2 : 3
  if (columns.length < 2 || several.length < (isStrict ? 3 : needed) || areLists(region, columns.length))
    return null
  const rows = joinRows(region, columns, rules)
  // The head has no numbers and says nothing about the rows below it.
  const isBody = several.length > 4 && isTabular(several.slice(1), columns, isStrict)
  if (!isBody && !isTabular(several, columns, isStrict) && !isRowByRow(rows, columns, rules)) return null
  const cells = spanHeads(
    rows.flatMap((row, at) => cellsOf(row, at, columns)),
    columns,
    rules,
  )
  // A cut run counts as taken as a whole.
  const runs = [...new Set(cells.flatMap((cell) => cell.runs.map((run) => run.whole ?? run)))]
  return inReadingOrder({ ...around(cells), rows: rows.length, columns: columns.length, cells, runs })
}

/** Returns whether the rows are lists: marks and texts form two columns, or items of several lists share lines. */
function areLists(rows: Row[], columns: number): boolean {
  const listed = rows.map(itemsOf).filter((items) => items.length > 0)
  const lists = listed.filter((items) => items.length > 1 || (columns === 2 && items[0] === 'apart')).length
  return lists >= 2 && lists >= 0.6 * listed.length && listed.length >= 0.3 * rows.length
}

/** Returns the list items of a row. A mark can be apart from its text; a dash far from any text is an empty cell. */
function itemsOf({ line, pieces }: Row): ('apart' | 'together')[] {
  return pieces.flatMap((piece, at) => {
    const mark = LIST_MARK.exec(`${piece.text} `)?.[0].trim()
    const rest = piece.text.slice(mark?.length ?? 0)
    const next = pieces[at + 1]
    if (mark && rest === '')
      return next && next.left - piece.right < 2 * line.size && isText(next.text) ? ['apart'] : []
    return mark && isText(rest) ? ['together'] : []
  })
}

const isText = (text: string) => text.length > 12 && /\p{L}+\s+\p{L}+/u.test(text)

const countDashes = ({ pieces }: Row) => pieces.flatMap(({ text }) => text.trim().split(/\s+/)).length

/** Returns whether the cells are short or numbers, and most rows have several of them. */
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
  if (isStrict)
    return columns.length > 2 && numbers > 0.3 * pieces.length && long < 0.1 * pieces.length && share > 0.5
  if (columns.length === 2 && numbers < 0.2 * pieces.length && long > 0.3 * pieces.length) return false
  return share > 0.4 && long < 0.35 * pieces.length
}

/**
 * Returns whether wrapped texts form rows: most rows begin at the same height in all columns. Two columns of flowing text may do so by
 * chance, so they also need rules between rows.
 */
function isRowByRow(rows: Row[][], columns: Column[], rules: Rule[]): boolean {
  if (rows.length < 4 || rows.filter((row) => row.length > 1).length < 0.4 * rows.length) return false
  if (rows.some((row) => row.length > 12)) return false
  const pieces = rows.flatMap((row) => row.flatMap((line) => line.pieces))
  if (pieces.some(({ text }) => text.length > 90 || BULLETED.test(text))) return false
  if (pieces.filter(({ text }) => text.length > 45).length > 0.2 * pieces.length) return false
  const ruled = rows.filter((row, at) => {
    const [above, below] = [rows[at - 1]?.at(-1), row[0]]
    return above && below && hasRuleBetween(above.line, below.line, rules)
  })
  if (columns.length < 3 && ruled.length < 0.5 * rows.length) return false
  const begun = rows.map((row) => {
    const first = row.slice(0, 1).flatMap((line) => line.pieces)
    return columns.filter((column) => first.some((piece) => overlap(piece, column) > 0)).length
  })
  const full = begun.filter((count) => count === columns.length).length
  return full >= 0.75 * rows.length
}

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
