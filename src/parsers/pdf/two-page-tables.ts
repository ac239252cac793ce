import type { Block } from './block.ts'
import type { Table, TableCell } from './lines/page-table.ts'
import { joinLines } from './lines/paragraphs.ts'

/** Columns may stand this far apart from page to page, as a share of its width. */
const NEAR = 0.01
/** A table that goes on begins in the upper part of the next page and ends in the lower part of its own. */
const MIDDLE = 0.5

/**
 * Joins tables that go on over the page: the last thing of one page and the first of the next, in the same columns. Rows of the head that
 * stand again are dropped, and a row that the page breaks is one row.
 */
export function joinTwoPageTables(blocks: Block[]): Block[] {
  const result: Block[] = []
  let open: Block | null = null
  for (const one of blocks) {
    const block = one.table ? { ...one, table: withHeadOnce(one.table) } : one
    const head = open && goesOn(open, block)
    if (open && head !== null) {
      const rest = joinBrokenRow(open.onNextPages?.at(-1) ?? open, withoutHead(block, head))
      open.onNextPages = [...(open.onNextPages ?? []), rest]
      continue
    }
    result.push(block)
    if (!block.edge) open = block
  }
  return result
}

/** How many rows of the head stand again on the next page; null when this is no more of the same table. */
function goesOn(open: Block, next: Block): number | null {
  const last = open.onNextPages?.at(-1) ?? open
  const { table } = next
  if (!open.table || !last.table || !table || next.page !== last.page + 1 || next.turn !== last.turn)
    return null
  if (table.columns !== last.table.columns || bottomOf(last) < MIDDLE || topOf(next) > MIDDLE) return null
  const head = sameRows(open.table, table)
  const isInLine = haveSameColumns(last, next)
  // Without its head again, only the very same columns say that it is the same table.
  if (head > 0 && head < table.rows) return head
  return head === 0 && isInLine ? 0 : null
}

const bottomOf = ({ table, size }: Block) => (table?.bottom ?? 0) / size.height
const topOf = ({ table, size }: Block) => (table?.top ?? 0) / size.height

/** How many of the first rows say the same. */
function sameRows(a: Table, b: Table): number {
  const [one, other] = [textsOf(a), textsOf(b)]
  let count = 0
  while (count < Math.min(3, one.length) && one[count] === other[count]) count++
  return count
}

function textsOf({ cells }: Table): string[] {
  const first = cells.filter(({ row }) => row < 3)
  return [0, 1, 2]
    .map((row) => first.filter((cell) => cell.row === row))
    .filter((row) => row.length > 0)
    .map((row) => row.map(({ column, text }) => `${column} ${text}`).join('\n'))
}

function haveSameColumns(a: Block, b: Block): boolean {
  const [one, other] = [edgesOf(a), edgesOf(b)]
  return one.every((edge, at) => Math.abs(edge - (other[at] ?? 0)) < NEAR)
}

/** Where each column begins, as a share of the width of the page. */
function edgesOf({ table, size }: Block): number[] {
  const { columns = 0, cells = [] } = table ?? {}
  const lefts = Array.from({ length: columns }, () => size.width)
  for (const { column, left } of cells) lefts[column] = Math.min(lefts[column] ?? 0, left)
  return lefts.map((left) => left / size.width)
}

function withoutHead(block: Block, head: number): Block {
  const { table } = block
  if (!table || head === 0) return block
  const cells = table.cells
    .filter(({ row }) => row >= head)
    .map((cell) => ({ ...cell, row: cell.row - head }))
  return { ...block, table: { ...table, rows: table.rows - head, cells } }
}

/** Without rows that say again what the first row says. */
function withHeadOnce(table: Table): Table {
  const rows = Map.groupBy(table.cells, ({ row }) => row)
  const said = (row: number) =>
    (rows.get(row) ?? []).map(({ column, text }) => `${column} ${text}`).join('\n')
  const isHead = (rows.get(0) ?? []).filter(({ text }) => /\p{L}/u.test(text)).length > 1
  const again = [...rows.keys()].filter((row) => row > 0 && isHead && said(row) === said(0))
  if (again.length === 0) return table
  const cells = table.cells
    .filter(({ row }) => !again.includes(row))
    .map((cell) => ({ ...cell, row: cell.row - again.filter((row) => row < cell.row).length }))
  return { ...table, rows: table.rows - again.length, cells }
}

/** Gives the first row of the next page to the last one of the page before, where it is the rest of it. */
function joinBrokenRow(before: Block, next: Block): Block {
  const [above, below] = [before.table, next.table]
  if (!above || !below || below.rows < 2) return next
  const rest = below.cells.filter(({ row, text }) => row === 0 && text !== '')
  const last = new Set(above.cells.filter(({ row }) => row === above.rows - 1).map(({ column }) => column))
  const isRest =
    rest.length > 0 &&
    rest.every(
      ({ column, text }) => column > 0 && last.has(column) && (above.isOpen || /^\p{Ll}/u.test(text)),
    )
  if (!isRest) return next
  const cells = above.cells.map((cell) => {
    const more = cell.row === above.rows - 1 ? rest.find(({ column }) => column === cell.column) : undefined
    if (!more) return cell
    return { ...cell, text: joinLines([cell, more].filter(({ text }) => text !== '')) }
  })
  before.table = { ...above, cells }
  const others = below.cells.filter(({ row }) => row > 0).map((cell) => ({ ...cell, row: cell.row - 1 }))
  return { ...next, table: { ...below, rows: below.rows - 1, cells: others } }
}

/** All cells of a table, with the block of the page each stands on. */
export function cellsOf(block: Block): { cell: TableCell; on: Block }[] {
  let from = 0
  return [block, ...(block.onNextPages ?? [])].flatMap((on) => {
    const first = from
    from += on.table?.rows ?? 0
    return (on.table?.cells ?? []).map((cell) => ({ cell: { ...cell, row: cell.row + first }, on }))
  })
}
