import { CSV_START, type CsvStyle, csvRow, isFormula } from '#shared/platform/csv.ts'
import type { TableWords } from '#shared/platform/markdown/plain-text.ts'

/** File formats of a table, in display order. */
export const tableFormats = ['xlsx', 'csv', 'html', 'md', 'json'] as const
export type TableFormat = (typeof tableFormats)[number]

/** Returns a table as a file. In a workbook, cells have types; no format contains formulas. */
export async function tableFile(table: TableWords, format: TableFormat, style: CsvStyle): Promise<Blob> {
  switch (format) {
    case 'xlsx':
      return (await import('./table-workbook.ts')).tableWorkbook(table, style)
    case 'csv':
      return text(
        'text/csv',
        CSV_START + [table.head, ...table.rows].map((row) => csvRow(row, style)).join(''),
      )
    case 'html':
      return text('text/html', htmlOf(table))
    case 'md':
      return text('text/markdown', markdownOf(table))
    case 'json':
      return text('application/json', `${JSON.stringify(objectsOf(table), null, 2)}\n`)
  }
}

const text = (type: string, content: string) => new Blob([content], { type: `${type};charset=utf-8` })

function htmlOf({ head, rows }: TableWords): string {
  const line = (cells: readonly string[], tag: 'th' | 'td') =>
    `<tr>${cells.map((cell) => `<${tag}${mark(cell)}>${escapeHtml(cell)}</${tag}>`).join('')}</tr>`
  const body = rows.map((row) => line(row, 'td')).join('\n')
  return `<!doctype html>\n<meta charset="utf-8">\n<table>\n<thead>\n${line(head, 'th')}\n</thead>\n<tbody>\n${body}\n</tbody>\n</table>\n`
}

/** Marks a cell as text for Excel and LibreOffice, which open HTML, if they would treat it as a formula. */
const mark = (cell: string) => (isFormula(cell) ? ` style="mso-number-format:'\\@'" sdnum="1033;0;@"` : '')

function escapeHtml(words: string): string {
  const signs: Record<string, string> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    '\n': '<br>',
  }
  return words.replace(/[&<>"\n]/g, (sign) => signs[sign] ?? sign)
}

function markdownOf({ head, rows }: TableWords): string {
  const line = (cells: readonly string[]) => `| ${cells.map(inCell).join(' | ')} |`
  return `${[line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')}\n`
}

const inCell = (words: string) => words.replace(/[\\|]/g, '\\$&').replaceAll('\n', '<br>')

/** Returns rows as objects by column name; a duplicate name gets a number. */
function objectsOf({ head, rows }: TableWords): Record<string, string>[] {
  const names: string[] = []
  for (const [at, name] of head.entries()) {
    const wanted = name || `column ${at + 1}`
    const before = names.filter((other) => other === wanted || other.startsWith(`${wanted} (`)).length
    names.push(before === 0 ? wanted : `${wanted} (${before + 1})`)
  }
  return rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at] ?? ''])))
}
