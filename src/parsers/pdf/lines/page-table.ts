import type { Edges, Run } from '../page/run.ts'

/** A table as it stands on one page. */
export type Table = Edges & { rows: number; columns: number; cells: TableCell[]; runs: Run[] }
export type TableCell = Edges & {
  row: number
  column: number
  rowSpan: number
  columnSpan: number
  text: string
  runs: Run[]
}
