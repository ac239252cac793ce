import type { Cell } from './port.ts'

/** Returns a table as text: tabs separate cells, line breaks separate rows. */
export function tableText(cells: Cell[]): string {
  return gridOf(cells)
    .map((row) => row.map((cell) => oneLine(cell)).join('\t'))
    .join('\n')
}

/**
 * Returns a table as a Markdown pipe table. A spanning cell fills the first of its positions and leaves the others empty. The first row
 * becomes the header, because Markdown requires one.
 */
export function tableMarkdown(cells: Cell[]): string {
  const [head, ...body] = gridOf(cells)
  if (!head) return ''
  const line = (row: string[]) => `| ${row.map((cell) => escapeCell(oneLine(cell))).join(' | ')} |`
  return [line(head), `|${' --- |'.repeat(head.length)}`, ...body.map(line)].join('\n')
}

/** Returns the texts of cells by row and column; empty for missing cells. */
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
