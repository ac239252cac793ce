import { isMostlyRightToLeft, toSegments } from '../lines/lines.ts'
import { orderLines } from '../lines/order.ts'
import type { Table, TableCell } from '../lines/page-table.ts'
import { joinLines } from '../lines/paragraphs.ts'
import { around, type Edges, type Run } from '../page/run.ts'
import type { Grid } from './lattice.ts'
import { type Filled, partWideCells } from './wide-cells.ts'

/** Cells with more characters than this on average are text boxes, not table cells. */
const MAX_MEAN_TEXT = 300

/** Fills a grid with text. Returns null if the grid does not frame a table. */
export function fillGrid(grid: Grid, runs: Run[]): Table | null {
  if (grid.columns < 2 || grid.rows < 2) return null
  const inside = runs.filter((run) => holds(grid, run))
  const filled = partWideCells(
    grid.cells.map((cell) => ({ cell, runs: inside.filter((run) => holds(cell, run)) })),
    grid,
  )
  if (filled.some(holdsColumns)) return null
  const withText = filled.filter((one) => one.runs.length > 0)
  const columns = new Set(withText.map(({ cell }) => cell.column)).size
  const rows = new Set(withText.map(({ cell }) => cell.row)).size
  const length = inside.reduce((sum, { text }) => sum + text.length, 0)
  if (columns < 2 || rows < 2 || withText.length < 3 || length / withText.length > MAX_MEAN_TEXT) return null
  const cells = splitRows(filled, grid.rows)
  const { columns: all, isOpen } = grid
  return dropEmptyLines({
    ...pickEdges(grid),
    ...{ rows: 0, columns: all, cells, runs: inside },
    ...(isOpen ? { isOpen } : {}),
  })
}

/** Returns whether a cell contains rows of several pieces. It then frames a table or belongs to a form. */
function holdsColumns({ runs }: Filled): boolean {
  if (runs.length < 6) return false
  const rows = Map.groupBy(toSegments(runs), ({ baseline, size }) => Math.round(baseline / (0.6 * size)))
  return [...rows.values()].filter((row) => row.length > 1).length >= 3
}

const pickEdges = ({ left, top, right, bottom }: Edges): Edges => ({ left, top, right, bottom })

function holds(edges: Edges, run: Run): boolean {
  const x = (run.left + run.right) / 2
  const y = (run.top + run.bottom) / 2
  return edges.left <= x && x <= edges.right && edges.top <= y && y <= edges.bottom
}

/** Splits ruled rows in which each line of text is a row: most cells have the same number of lines at the same heights. */
function splitRows(filled: Filled[], rows: number): TableCell[] {
  const cells: TableCell[] = []
  let shift = 0
  for (let row = 0; row < rows; row++) {
    const own = filled.filter(({ cell }) => cell.row === row)
    const heights = lineHeights(own)
    own.forEach(({ cell, runs }) => {
      const parts = heights.length > 1 && cell.rowSpan === 1 ? heights : [cell]
      parts.forEach((part, at) => {
        const inPart = runs.filter(
          (run) => parts.length === 1 || holds({ ...cell, top: part.top, bottom: part.bottom }, run),
        )
        const edges = {
          ...pickEdges(cell),
          ...(parts.length > 1 ? { top: part.top, bottom: part.bottom } : {}),
        }
        const rowSpan = parts.length === 1 && heights.length > 1 ? heights.length : cell.rowSpan
        cells.push({
          ...edges,
          row: row + shift + at,
          column: cell.column,
          rowSpan,
          columnSpan: cell.columnSpan,
          text: textOf(inPart),
          runs: inPart,
        })
      })
    })
    shift += Math.max(0, heights.length - 1)
  }
  return cells
}

function lineHeights(own: Filled[]): { top: number; bottom: number }[] {
  const perCell = own
    .filter(({ cell, runs }) => cell.rowSpan === 1 && runs.length > 0)
    .map(({ runs }) => baselinesOf(runs))
  const most = Math.max(0, ...perCell.map((lines) => lines.length))
  const full = perCell.filter((lines) => lines.length >= most * 0.8)
  if (most < 3 || full.length < Math.max(2, 0.6 * perCell.length)) return []
  const all = baselinesOf(own.flatMap(({ runs }) => runs))
  if (all.length > most * 1.2) return []
  const rows = joinTight(all)
  return rows.map((line, at) => {
    const before = rows[at - 1]
    const after = rows[at + 1]
    return {
      top: before ? (before.bottom + line.top) / 2 : line.top - 1,
      bottom: after ? (line.bottom + after.top) / 2 : line.bottom + 1,
    }
  })
}

function baselinesOf(runs: Run[]): { top: number; bottom: number; baseline: number }[] {
  const lines: { top: number; bottom: number; baseline: number }[] = []
  for (const { top, bottom, baseline, size } of [...runs].sort((a, b) => a.baseline - b.baseline)) {
    const last = lines.at(-1)
    if (last && baseline - last.baseline < 0.5 * size) {
      last.top = Math.min(last.top, top)
      last.bottom = Math.max(last.bottom, bottom)
    } else lines.push({ top, bottom, baseline })
  }
  return lines
}

/** Merges closely spaced lines if an empty line separates other lines. */
function joinTight(lines: ReturnType<typeof baselinesOf>): { top: number; bottom: number }[] {
  const steps = lines.slice(1).map(({ baseline }, at) => baseline - (lines[at]?.baseline ?? 0))
  const tight = Math.min(...steps)
  if (!steps.some((step) => step > 1.6 * tight)) return lines
  const rows: { top: number; bottom: number }[] = []
  lines.forEach(({ top, bottom }, at) => {
    const last = rows.at(-1)
    if (last && (steps[at - 1] ?? 0) < 1.3 * tight) last.bottom = bottom
    else rows.push({ top, bottom })
  })
  return rows
}

/** Reverses the columns of a table whose text is mostly right-to-left. */
export function inReadingOrder(table: Table): Table {
  if (!isMostlyRightToLeft(table.runs)) return table
  const cells = table.cells.map((cell) => ({
    ...cell,
    column: table.columns - cell.column - cell.columnSpan,
  }))
  return { ...table, cells: cells.sort((a, b) => a.row - b.row || a.column - b.column) }
}

/** Returns the text of a cell, line by line. */
export function textOf(runs: Run[]): string {
  if (runs.length === 0) return ''
  return joinLines(orderLines(toSegments(runs)).flat())
}

/** Removes empty rows and columns, which double lines create. */
function dropEmptyLines(table: Table): Table {
  const full = table.cells.filter(({ text }) => text !== '')
  const rows = [...new Set(full.map(({ row }) => row))].sort((a, b) => a - b)
  const columns = [...new Set(full.map(({ column }) => column))].sort((a, b) => a - b)
  const cells = table.cells.flatMap((cell) => {
    const row = rows.indexOf(cell.row)
    const column = columns.indexOf(cell.column)
    if (row < 0 || column < 0) return []
    const within = (list: number[], from: number, span: number) =>
      list.filter((at) => at >= from && at < from + span).length
    const rowSpan = Math.max(1, within(rows, cell.row, cell.rowSpan))
    const columnSpan = Math.max(1, within(columns, cell.column, cell.columnSpan))
    return [{ ...cell, row, column, rowSpan, columnSpan }]
  })
  return inReadingOrder({ ...table, ...around(cells), rows: rows.length, columns: columns.length, cells })
}
