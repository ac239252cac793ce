import type { Cell } from './port.ts'

/** A table as text: cells separated by tabs, rows by line ends. */
export function tableText(cells: Cell[]): string {
  return gridOf(cells)
    .map((row) => row.map((cell) => oneLine(cell)).join('\t'))
    .join('\n')
}

/**
 * A table as a Markdown pipe table. A spanning cell is in the first of its places and the others are empty. The first row
 * is the header, because Markdown has no table without one.
 */
export function tableMarkdown(cells: Cell[]): string {
  const [head, ...body] = gridOf(cells)
  if (!head) return ''
  const line = (row: string[]) => `| ${row.map((cell) => escapeCell(oneLine(cell))).join(' | ')} |`
  return [line(head), `|${' --- |'.repeat(head.length)}`, ...body.map(line)].join('\n')
}

/** Cells in rows and columns, with empty texts for missing cells. */
export function gridOf(cells: Cell[]): string[][] {
  const rows = cells.reduce((most, { row, rowSpan = 1 }) => Math.max(most, row + rowSpan), 0)
  const columns = cells.reduce((most, { column, columnSpan = 1 }) => Math.max(most, column + columnSpan), 0)
  const grid = Array.from({ length: rows }, () => new Array<string>(columns).fill(''))
  for (const { row, column, text } of cells) {
    const line = grid[row]
    if (line) line[column] = text
  }
  return grid
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()
const escapeCell = (text: string) => text.replaceAll('\\', '\\\\').replaceAll('|', '\\|')
