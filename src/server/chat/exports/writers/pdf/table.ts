import { directionOfBlock } from '#shared/platform/markdown/direction.ts'
import type { TableBlock } from '#shared/platform/markdown/tree.ts'
import { type Flow, PAGE, TEXT_WIDTH } from './flow.ts'
import { INK, type InlineWords, piecesOf } from './inlines.ts'
import { breakLines, type Line, measurePieces, type Piece } from './lines.ts'

const SIZE = 9
const LINE = 12.5
const PAD = 4

/** Draws a table at full width. The header repeats on every page, and rows stay whole where possible. */
export function drawTable(flow: Flow, given: TableBlock, x: number, words: InlineWords): void {
  const table = directionOfBlock(given) === 'rtl' ? reversed(given) : given
  const { fonts } = flow
  const style = (isHead: boolean) => ({
    face: isHead ? ('bold' as const) : ('regular' as const),
    size: SIZE,
    color: INK,
  })
  const pieces = (cells: TableBlock['head'], isHead: boolean) =>
    table.head.map((_, at) => piecesOf(cells[at] ?? [], style(isHead), words))
  const head = pieces(table.head, true)
  const rows = table.rows.map((row) => pieces(row, false))
  const widths = shareOut(
    table.head.map((_, at) => measureColumn(flow, [head, ...rows.slice(0, MEASURED)], at)),
    TEXT_WIDTH - x,
  )
  const lay = (cells: Piece[][]) =>
    cells.map((cell, at) => breakLines(fonts, cell, (widths[at] ?? 0) - 2 * PAD))
  const headLines = lay(head)
  const headHeight = heightOf(headLines)
  flow.gap(4)
  drawRow(headLines)
  for (const row of rows) {
    const lines = lay(row)
    const height = heightOf(lines)
    const before = flow.doc.bufferedPageRange().count
    if (height < (PAGE.height - PAGE.top - PAGE.bottom) / 2) flow.ensure(height)
    if (flow.doc.bufferedPageRange().count > before) drawRow(headLines)
    drawRow(lines)
  }
  flow.gap(8)

  function drawRow(cells: Line[][]) {
    const count = Math.max(1, ...cells.map((lines) => lines.length))
    const isHead = cells === headLines
    flow.y += PAD
    for (let at = 0; at < count; at++) {
      const before = flow.doc.bufferedPageRange().count
      flow.reserve(
        LINE,
        cells.flatMap((lines) => lines[at]?.notes ?? []),
      )
      if (!isHead && flow.doc.bufferedPageRange().count > before && flow.left() > headHeight + LINE)
        drawRow(headLines)
      let left = x
      for (const [column, lines] of cells.entries()) {
        const line = lines[at]
        const width = widths[column] ?? 0
        if (line)
          flow.draw(
            line,
            left +
              PAD +
              shift(table.align[column] ?? (line.isRtl ? 'right' : null), width - 2 * PAD - line.width),
            flow.y,
          )
        left += width
      }
      flow.y += LINE
    }
    flow.y += PAD
    flow.doc
      .moveTo(PAGE.side + x, flow.y - 1)
      .lineTo(PAGE.side + TEXT_WIDTH, flow.y - 1)
      .lineWidth(isHead ? 0.9 : 0.5)
      .strokeColor(isHead ? '#8a8994' : '#d0d0cc')
      .stroke()
  }
}

/** Returns a right-to-left table, whose first column stands at the right. */
function reversed({ head, rows, align, ...table }: TableBlock): TableBlock {
  const cells = (row: TableBlock['head']) => head.map((_, at) => row[head.length - 1 - at] ?? [])
  const sides = head.map((_, at) => align[head.length - 1 - at] ?? 'right')
  return { ...table, head: cells(head), rows: rows.map(cells), align: sides }
}

const heightOf = (cells: Line[][]) => Math.max(1, ...cells.map((lines) => lines.length)) * LINE + 2 * PAD
const shift = (align: string | null | undefined, room: number) =>
  align === 'right' ? room : align === 'center' ? room / 2 : 0

/** Maximum rows measured for the column widths. */
const MEASURED = 300

function measureColumn({ fonts }: Flow, rows: Piece[][][], at: number): { natural: number; least: number } {
  const measures = rows.map((row) => measurePieces(fonts, row[at] ?? []))
  const most = (of: 'natural' | 'least') => Math.max(12, ...measures.map((one) => one[of])) + 2 * PAD
  return { natural: most('natural'), least: most('least') }
}

/** Returns natural widths if they fit; else the longest word of each column, plus a share of the remaining room. */
function shareOut(columns: { natural: number; least: number }[], room: number): number[] {
  const natural = columns.reduce((sum, column) => sum + column.natural, 0)
  if (natural <= room)
    return columns.map((column) => column.natural + ((room - natural) * column.natural) / natural)
  const cap = room / Math.min(columns.length, 3)
  const least = columns.map((column) => Math.min(column.least, cap))
  const taken = least.reduce((sum, width) => sum + width, 0)
  if (taken >= room) return least.map((width) => (width * room) / taken)
  const wishes = columns.map((column, at) => column.natural - (least[at] ?? 0))
  const wished = wishes.reduce((sum, width) => sum + width, 0)
  return least.map((width, at) => width + ((room - taken) * (wishes[at] ?? 0)) / wished)
}
