import { type Doc, PAGE } from './draw-table.ts'
import { type MadeTable, pick, type Random } from './made-table.ts'

/** Draws a table in the style of a line printer: fixed-pitch lines, with columns separated by spaces. Returns its lower edge. */
export function drawReport(
  doc: Doc,
  random: Random,
  table: MadeTable,
  { x, y }: { x: number; y: number },
): number {
  const gap = pick(random, [1, 2, 2, 3, 4])
  const underline = pick(random, ['-', '=', ''])
  const size = pick(random, [7, 8, 9])
  const widths = Array.from({ length: table.columns }, (_, column) =>
    Math.max(
      4,
      ...table.cells
        .filter(({ col, col_end }) => col === column && col_end === col)
        .flatMap(({ lines }) => lines.map(({ length }) => length)),
    ),
  )
  for (const { col, col_end, text } of table.cells) {
    const missing = text.length - (sum(widths.slice(col, col_end + 1)) + gap * (col_end - col))
    if (col_end > col && missing > 0) widths[col_end] = (widths[col_end] as number) + missing
  }
  const starts = widths.map((_, at) => sum(widths.slice(0, at)) + at * gap)
  const lines: string[] = []
  for (let row = 0; row < table.rows; row++) {
    const cells = table.cells.filter((cell) => cell.row === row)
    const height = Math.max(1, ...cells.map((cell) => cell.lines.length))
    for (let at = 0; at < height; at++) {
      let line = ''
      for (const cell of cells) {
        const text = cell.lines[at]
        if (text === undefined) continue
        const width = sum(widths.slice(cell.col, cell.col_end + 1)) + gap * (cell.col_end - cell.col)
        line = line.padEnd(starts[cell.col] as number) + fitted(text, width, cell.align)
      }
      lines.push(line.trimEnd())
    }
    if (row === table.headRows - 1 && underline)
      lines.push(
        starts
          .map((start, at) =>
            underline
              .repeat(widths[at] as number)
              .padStart(start + (widths[at] as number))
              .slice(at === 0 ? 0 : (starts[at - 1] as number) + (widths[at - 1] as number)),
          )
          .join(''),
      )
  }
  const asWhole = random() < 0.6
  doc.font('Courier').fontSize(size)
  const pitch = 0.6 * size
  for (const line of lines) {
    if (y > PAGE.height - PAGE.margin) {
      doc.addPage()
      y = PAGE.margin
      doc.font('Courier').fontSize(size)
    }
    if (asWhole && line) doc.text(line, x, y, { lineBreak: false })
    else
      for (const part of line.matchAll(/\S+(?: \S+)*/g))
        doc.text(part[0], x + part.index * pitch, y, { lineBreak: false })
    y += 1.15 * size
  }
  return y + 12
}

function fitted(text: string, width: number, align: 'left' | 'right' | 'center'): string {
  if (align === 'left') return text.padEnd(width)
  if (align === 'right') return text.padStart(width)
  return text.padStart(Math.floor((width + text.length) / 2)).padEnd(width)
}

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)
