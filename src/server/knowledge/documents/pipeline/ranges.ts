/** Returns the smallest range of cells that contains all `ranges`, for example `B2:D14`; null when there are none. */
export function joinRanges(ranges: string[]): string | null {
  const corners = ranges.flatMap((range) => range.split(':').map(readCell)).filter((cell) => cell !== null)
  if (corners.length === 0) return null
  const columns = corners.map(({ column }) => column)
  const rows = corners.map(({ row }) => row)
  const first = nameCell(Math.min(...columns), Math.min(...rows))
  const last = nameCell(Math.max(...columns), Math.max(...rows))
  return first === last ? first : `${first}:${last}`
}

type Cell = { column: number; row: number }

/** Parses a cell name into numbers from 1. */
function readCell(name: string): Cell | null {
  const [, letters, digits] = /^\$?([A-Z]{1,3})\$?(\d{1,7})$/.exec(name) ?? []
  if (!letters || !digits) return null
  const column = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0)
  return { column, row: Number(digits) }
}

function nameCell(column: number, row: number): string {
  let letters = ''
  for (let left = column; left > 0; left = Math.floor((left - 1) / 26))
    letters = String.fromCharCode(65 + ((left - 1) % 26)) + letters
  return letters + row
}
