import type { Language } from '#shared/platform/primitives.ts'

/**
 * Reads the rows of a table: Markdown, or cells separated by tabs, semicolons or commas. On a single line, semicolons separate rows
 * and commas cells. Returns null when the text is not a table.
 */
export function readTable(text: string): string[][] | null {
  const lines = text
    .replace(/^```\w*\n|\n```$/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
  const rows = readRows(lines)
  const [first] = rows
  return rows.length > 1 && first && first.length > 1 ? rows : null
}

export const isMarkdownTable = (text: string) => {
  const [, second = ''] = text.trim().split('\n', 2)
  return second.includes('-') && second.includes('|') && /^[-:| \t]+$/.test(second)
}

function readRows(lines: string[]): string[][] {
  const [first = ''] = lines
  if (isMarkdownTable(lines.join('\n')))
    return lines.filter((_, at) => at !== 1).map((line) => readMarkdownRow(line.trim()))
  if (lines.length === 1 && first.includes(';') && first.includes(','))
    return first.split(';').map((row) => row.split(',').map((cell) => cell.trim().replace(/\.$/, '')))
  const separator = ['\t', ';', ',', '|'].find((one) => first.includes(one))
  return separator ? lines.map((line) => readCells(line, separator)) : []
}

/** A bar after a backslash belongs to its cell. */
function readMarkdownRow(line: string): string[] {
  const inner = line.replace(/^\|/, '').replace(/\|$/, '')
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'))
}

/** Reads a line by RFC 4180: quoted text may contain the separator, and a doubled quote is one quote. */
function readCells(line: string, separator: string): string[] {
  const cells: string[] = []
  let cell = ''
  let isQuoted = false
  for (let at = 0; at < line.length; at++) {
    const sign = line[at] ?? ''
    if (sign === '"' && isQuoted && line[at + 1] === '"') {
      cell += '"'
      at += 1
    } else if (sign === '"') isQuoted = !isQuoted
    else if (sign === separator && !isQuoted) {
      cells.push(cell)
      cell = ''
    } else cell += sign
  }
  return [...cells, cell].map((text) => text.trim())
}

/** French numbers contain commas, so semicolons separate the cells. */
export function writeCsv(rows: string[][], language: Language): string {
  const separator = language === 'fr' ? ';' : ','
  const write = (cell: string) =>
    cell.includes(separator) || cell.includes('"') ? `"${cell.replaceAll('"', '""')}"` : cell
  const lines = rows.map((row) => row.map(write).join(separator))
  return ['```csv', ...lines, '```'].join('\n')
}

export function writeMarkdownTable(rows: string[][]): string {
  const width = rows[0]?.length ?? 0
  const write = (row: string[]) => {
    const cells = Array.from({ length: width }, (_, at) => (row[at] ?? '').replaceAll('|', '\\|'))
    return `| ${cells.join(' | ')} |`
  }
  const [head = [], ...body] = rows
  return [write(head), `|${' --- |'.repeat(width)}`, ...body.map(write)].join('\n')
}
