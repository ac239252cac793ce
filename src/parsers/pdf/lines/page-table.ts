import type { Edges, Run } from '../page/run.ts'

/** The part of a table on one page. */
export type Table = Edges & {
  rows: number
  columns: number
  cells: TableCell[]
  runs: Run[]
  /** True if no line closes the last row, so that it may continue on the next page. */
  isOpen?: true
}
export type TableCell = Edges & {
  row: number
  column: number
  rowSpan: number
  columnSpan: number
  text: string
  runs: Run[]
}
