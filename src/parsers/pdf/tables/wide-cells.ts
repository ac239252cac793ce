import { toSegments } from '../lines/lines.ts'
import type { Run } from '../page/run.ts'
import type { Grid, GridCell } from './lattice.ts'

export type Filled = { cell: GridCell; runs: Run[] }

/** Maximum distance in points by which text may cross a line of other rows. */
const OVER = 2

/**
 * Splits cells at lines that only other rows have, for example because every second row is coloured. A cell is split if it has text
 * on several sides of such lines and none across them.
 */
export function partWideCells(filled: Filled[], { columns, cells }: Grid): Filled[] {
  const edges = new Map<number, number>()
  for (const cell of cells) {
    edges.set(cell.column, cell.left)
    edges.set(cell.column + cell.columnSpan, cell.right)
  }
  return filled.flatMap((one) => (one.cell.columnSpan > 1 ? partCell(one, edges, columns) : one))
}

function partCell({ cell, runs }: Filled, edges: Map<number, number>, columns: number): Filled | Filled[] {
  const stops = Array.from({ length: cell.columnSpan - 1 }, (_, at) => cell.column + at + 1).filter(
    (stop) => stop < columns && edges.has(stop),
  )
  const byColumn = new Map<number, Run[]>()
  for (const segment of toSegments(runs)) {
    const crosses = (stop: number) => {
      const x = edges.get(stop) as number
      return segment.left < x - OVER && segment.right > x + OVER
    }
    if (stops.some(crosses)) return { cell, runs }
    const middle = (segment.left + segment.right) / 2
    const column = stops.findLast((stop) => (edges.get(stop) as number) < middle) ?? cell.column
    byColumn.set(column, [...(byColumn.get(column) ?? []), ...segment.runs])
  }
  if (byColumn.size < 2) return { cell, runs }
  const starts = [cell.column, ...stops]
  return starts.map((column, at) => {
    const end = starts[at + 1] ?? cell.column + cell.columnSpan
    return {
      cell: {
        ...cell,
        column,
        columnSpan: end - column,
        left: edges.get(column) ?? cell.left,
        right: edges.get(end) ?? cell.right,
      },
      runs: byColumn.get(column) ?? [],
    }
  })
}
