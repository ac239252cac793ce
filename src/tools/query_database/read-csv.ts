import type { Value } from '#shared/tools/databases/databases.ts'

type Column = { name: string; is_number: boolean }

/**
 * Reads the rows of a result's file (RFC 4180, with a header). Empty fields are null. Numbers are numbers where no digit is lost, as in the
 * rows of the result itself.
 */
export function readCsv(text: string, columns: readonly Column[]): Value[][] {
  const [, ...rows] = splitRows(text)
  return rows.map((row) => row.map((field, at) => readField(field, columns[at]?.is_number ?? false)))
}

function readField(field: string, isNumber: boolean): Value {
  if (field === '') return null
  if (!isNumber) return field
  const number = Number(field)
  return Number.isFinite(number) ? number : field
}

function splitRows(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  const pattern = /("(?:[^"]|"")*"|[^,\r\n]*)(,|\r\n|$)/y
  while (pattern.lastIndex < text.length) {
    const found = pattern.exec(text)
    if (!found) break
    const [, field = '', end] = found
    row.push(field.startsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field)
    if (end === ',') continue
    rows.push(row)
    row = []
  }
  return rows
}
