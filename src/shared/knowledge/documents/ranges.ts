/** Returns the letters of a column, counted from 0: `A`, `Z`, `AA`. */
export function columnName(column: number): string {
  let name = ''
  for (let rest = column + 1; rest > 0; rest = Math.floor((rest - 1) / 26))
    name = String.fromCharCode(65 + ((rest - 1) % 26)) + name
  return name
}

/** Parses `B2` or `$B$2` to row and column from 0; returns null for other text. */
export function parseCell(name: string): { row: number; column: number } | null {
  const [, letters, digits] = /^\$?([A-Z]{1,3})\$?(\d{1,7})$/i.exec(name) ?? []
  if (!letters || !digits) return null
  let column = 0
  for (const letter of letters.toUpperCase()) column = column * 26 + letter.charCodeAt(0) - 64
  return { row: Number(digits) - 1, column: column - 1 }
}

export type Area = { row: number; column: number; rows: number; columns: number }

/** Parses `B2:D14`; returns null for other text. */
export function parseRange(range: string): Area | null {
  const [first, last] = range.split(':').map(parseCell)
  if (!first) return null
  const end = last ?? first
  const [row, column] = [Math.min(first.row, end.row), Math.min(first.column, end.column)]
  return {
    row,
    column,
    rows: Math.abs(end.row - first.row) + 1,
    columns: Math.abs(end.column - first.column) + 1,
  }
}

export function rangeName({ row, column, rows, columns }: Area): string {
  const first = `${columnName(column)}${row + 1}`
  const last = `${columnName(column + columns - 1)}${row + rows}`
  return first === last ? first : `${first}:${last}`
}
