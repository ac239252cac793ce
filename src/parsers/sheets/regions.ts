import { rangeName } from '#shared/knowledge/documents/ranges.ts'
import { tableOf } from '../elements/elements.ts'
import type { Cell, Job } from '../elements/port.ts'
import { tableMarkdown } from '../elements/table.ts'
import type { SheetCell, SheetFacts } from './cells.ts'

/** Rows of one table element: small enough to be found and shown on its own. */
const ROWS = 50

type Row = { row: number; cells: SheetCell[] }
type Purse = { spend(characters: number, cells: number): { text: boolean; cells: boolean } }

/**
 * The tables of a sheet, separated by empty rows and empty columns. A long one is split into elements of 50 rows; the
 * Markdown of each begins with the header of the table.
 */
export class SheetRegions {
  private readonly job: Job
  private readonly facts: SheetFacts
  private readonly purse: Purse
  private rows: Row[] = []
  /** The columns of tables that continue from earlier rows, with the header of each. */
  private heads: { first: number; last: number; head: Row }[] = []

  constructor(job: Job, facts: SheetFacts, purse: Purse) {
    this.job = job
    this.facts = facts
    this.purse = purse
  }

  add(row: number, cells: SheetCell[]): void {
    const before = this.rows.at(-1)
    if (before && row > before.row + 1) this.end()
    else if (this.rows.length >= ROWS) this.write()
    this.rows.push({ row, cells })
  }

  end(): void {
    this.write()
    this.heads = []
  }

  private write(): void {
    const parts = columnGroups(this.rows)
    const heads: typeof this.heads = []
    for (const { first, last } of parts) {
      const rows = trimmed(
        this.rows.map(({ row, cells }) => ({
          row,
          cells: cells.filter(({ column }) => column >= first && column <= last),
        })),
      )
      const [top] = rows
      if (!top) continue
      const above = this.heads.find((one) => one.first <= last && one.last >= first)
      heads.push({ first: above ? Math.min(first, above.first) : first, last, head: above?.head ?? top })
      this.element(rows, above?.first ?? first, last, above?.head ?? null)
    }
    this.heads = heads
    this.rows = []
  }

  private element(rows: Row[], first: number, last: number, head: Row | null): void {
    const top = rows[0]?.row ?? 0
    const area = {
      row: top,
      column: first,
      rows: (rows.at(-1)?.row ?? top) - top + 1,
      columns: last - first + 1,
    }
    const cells = rows.flatMap((row) => this.cellsOf(row, top, first))
    const place = { sheet: this.facts.name, range: rangeName(area) }
    const element = tableOf(cells, { place })
    if (!element) return
    const may = this.purse.spend(element.text.length, cells.length)
    if (!may.text) return
    if (head) {
      const above = this.cellsOf(head, head.row, first)
      element.markdown = tableMarkdown([...above, ...cells.map((cell) => ({ ...cell, row: cell.row + 1 }))])
      element.extra = { continues: true }
    }
    if (!may.cells) delete element.cells
    this.job.add(element)
  }

  private cellsOf({ row, cells }: Row, top: number, first: number): Cell[] {
    return cells.map(({ column, text }) => {
      const merge = this.facts.merges?.find((one) => one.row === row && one.column === column)
      const cell: Cell = { row: row - top, column: column - first, text }
      if (merge && merge.rows > 1) cell.rowSpan = merge.rows
      if (merge && merge.columns > 1) cell.columnSpan = merge.columns
      return cell
    })
  }
}

/** Ranges of columns in which any row has a cell, separated by empty columns. */
function columnGroups(rows: Row[]): { first: number; last: number }[] {
  const used = new Set(rows.flatMap(({ cells }) => cells.map(({ column }) => column)))
  const groups: { first: number; last: number }[] = []
  for (const column of [...used].sort((a, b) => a - b)) {
    const group = groups.at(-1)
    if (group && column === group.last + 1) group.last = column
    else groups.push({ first: column, last: column })
  }
  return groups
}

function trimmed(rows: Row[]): Row[] {
  const isFilled = ({ cells }: Row) => cells.length > 0
  const first = rows.findIndex(isFilled)
  return first < 0 ? [] : rows.slice(first, rows.findLastIndex(isFilled) + 1)
}
