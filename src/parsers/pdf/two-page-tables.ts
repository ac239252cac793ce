import type { Block } from './block.ts'
import type { Table, TableCell } from './lines/page-table.ts'
import { joinLines } from './lines/paragraphs.ts'
import { around } from './page/run.ts'

/** Maximum shift of a column between pages, as a fraction of the page width. */
const NEAR = 0.01
/** A table continues only if it ends below this fraction of the page height and the next one begins above it. */
const MIDDLE = 0.5
/** Maximum characters of a label. */
const PROSE = 60

/**
 * Joins tables that continue on the next page: the last block of one page and the first of the next, in the same columns.
 * Removes repeated heads and joins rows that a page break splits.
 */
export function joinTwoPageTables(blocks: Block[]): Block[] {
  const result: Block[] = []
  let open: Block | null = null
  for (const [at, one] of blocks.entries()) {
    const block: Block = one.table
      ? { ...one, table: withHeadOnce(withHeadApart(one.table, open?.table)) }
      : one
    const following = blocks.slice(at + 1, at + 3).find(({ edge }) => !edge)
    if (open && following?.table && joinRestOfCell(open, block, following)) continue
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

/** Returns the number of head rows repeated on the next page; null if the block does not continue the table. */
function goesOn(open: Block, next: Block): number | null {
  const last = open.onNextPages?.at(-1) ?? open
  const { table } = next
  if (!open.table || !last.table || !table || next.page !== last.page + 1 || next.turn !== last.turn)
    return null
  if (table.columns !== last.table.columns || bottomOf(last) < MIDDLE || topOf(next) > MIDDLE) return null
  const head = sameRows(open.table, table)
  const isInLine = haveSameColumns(last, next)
  // Without a repeated head, the columns must be at the same positions.
  if (head > 0 && head < table.rows) return head
  return head === 0 && isInLine ? 0 : null
}

const bottomOf = ({ table, size }: Block) => (table?.bottom ?? 0) / size.height
const topOf = ({ table, size }: Block) => (table?.top ?? 0) / size.height

/** Returns the number of equal rows at the beginning of both tables, at most three. */
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

/** Returns the left edge of each column, as a fraction of the page width. */
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

/** Removes repetitions of the first row. */
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

/** Separates a repeated head from the remainder of a split row below it, if both were read as one row. */
function withHeadApart(table: Table, before: Table | undefined): Table {
  const headOf = (of: Table) =>
    new Map(of.cells.filter(({ row }) => row === 0).map((cell) => [cell.column, cell]))
  const [again, head] = [headOf(table), before ? headOf(before) : new Map<number, TableCell>()]
  const same = [...again.values()].filter(({ column, text }) => head.get(column)?.text === text)
  const longer = [...again.values()].filter(({ column, text }) => {
    const said = head.get(column)?.text
    return said && text.startsWith(`${said} `)
  })
  if (same.length < 2 || longer.length === 0 || same.length + longer.length < again.size) return table
  const bottom = Math.max(...same.map((cell) => cell.bottom))
  const cells = table.cells.flatMap((cell) => {
    if (cell.row > 0) return [{ ...cell, row: cell.row + 1 }]
    if (!longer.includes(cell)) return [cell]
    const [above, below] = [
      cell.runs.filter((run) => (run.top + run.bottom) / 2 < bottom),
      cell.runs.filter((run) => (run.top + run.bottom) / 2 >= bottom),
    ]
    const said = head.get(cell.column)?.text ?? ''
    if (above.length === 0 || below.length === 0) return [cell]
    return [
      { ...cell, ...around(above), runs: above, text: said },
      { ...cell, ...around(below), runs: below, text: cell.text.slice(said.length + 1), row: 1 },
    ]
  })
  return { ...table, rows: table.rows + 1, cells }
}

/** Appends a paragraph at the top of a page to the cell that the page break splits, if the table follows. Returns whether it did. */
function joinRestOfCell(open: Block, { paragraph, page, turn, ...block }: Block, following: Block): boolean {
  const last = open.onNextPages?.at(-1) ?? open
  if (!paragraph || !last.table || block.edge || page !== last.page + 1 || turn !== last.turn) return false
  if (following.page !== page || goesOn(open, following) === null || bottomOf(last) < MIDDLE) return false
  const lefts = edgesOf(last).map((edge) => edge * last.size.width)
  const column = lefts.findLastIndex((left) => left <= paragraph.left + NEAR * last.size.width)
  const next = lefts[column + 1]
  const { rows, cells } = last.table
  const cell = cells.find((one) => one.row === rows - 1 && one.column === column)
  if (column < 1 || !cell?.text || (next !== undefined && paragraph.right > next)) return false
  if (!/^\p{Ll}/u.test(paragraph.text)) return false
  const joined = { ...cell, text: joinLines([cell, paragraph]) }
  last.table = { ...last.table, cells: cells.map((one) => (one === cell ? joined : one)) }
  return true
}

/** Appends the first row of `next` to the last row before it if a page break splits that row. Returns `next` without appended rows. */
function joinBrokenRow(before: Block, next: Block): Block {
  const [above, below] = [before.table, next.table]
  if (!above || !below || below.rows < 2) return next
  const rest = below.cells.filter(({ row, text }) => row === 0 && text !== '')
  const last = new Set(above.cells.filter(({ row }) => row === above.rows - 1).map(({ column }) => column))
  // Otherwise only a label that spans the table is the single text of its row, and labels are short.
  const isOneText = rest.length === 1 && below.columns > 2 && (rest[0]?.text.length ?? 0) > PROSE
  const isRest =
    rest.length > 0 &&
    rest.every(
      ({ column, text }) =>
        column > 0 && last.has(column) && (above.isOpen || isOneText || /^\p{Ll}/u.test(text)),
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

/** Returns all cells of a table, each with the block of its page. */
export function cellsOf(block: Block): { cell: TableCell; on: Block }[] {
  let from = 0
  return [block, ...(block.onNextPages ?? [])].flatMap((on) => {
    const first = from
    from += on.table?.rows ?? 0
    return (on.table?.cells ?? []).map((cell) => ({ cell: { ...cell, row: cell.row + first }, on }))
  })
}
