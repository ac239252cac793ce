import type { Edges, Run } from '../page/run.ts'

/** A table as it stands on one page. */
export type Table = Edges & {
  rows: number
  columns: number
  cells: TableCell[]
  runs: Run[]
  /** Whether no line closes its last row: it may go on over the page. */
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
