import { splitRows } from './read-rows.ts'

const delimiters = [',', ';', '\t', '|']

/**
 * The delimiter of a table in text: the character that gives the most rows the same number of cells. `isSteady` when nearly
 * all rows have it. Null when no character separates cells.
 */
export function delimiterOf(head: string): { delimiter: string; isSteady: boolean } | null {
  const best = delimiters
    .map((delimiter) => ({ delimiter, ...judge(head, delimiter) }))
    .filter(({ columns }) => columns > 1)
    .sort((a, b) => b.share * Math.log2(1 + b.columns) - a.share * Math.log2(1 + a.columns))[0]
  return best ? { delimiter: best.delimiter, isSteady: best.share >= 0.9 } : null
}

function judge(head: string, delimiter: string): { columns: number; share: number } {
  const rows = splitRows(head, { delimiter, quote: '"' }, true).rows.slice(0, 100)
  const filled = rows.filter((row) => row.some((cell) => cell !== ''))
  const counts = Map.groupBy(filled, (row) => row.length)
  const [columns, same] = [...counts].sort(([, a], [, b]) => b.length - a.length)[0] ?? [0, []]
  return { columns, share: same.length / Math.max(1, filled.length) }
}

/** Some programs put single quotes around cells: there are at least two of them and no double quotes. */
export function quoteOf(head: string, delimiter: string): string {
  const cells = head.split('\n', 200).flatMap((line) => line.trimEnd().split(delimiter))
  const begun = (quote: string) => cells.filter((cell) => cell.startsWith(quote)).length
  const ended = cells.filter((cell) => cell.length > 1 && cell.endsWith("'")).length
  return begun("'") >= 2 && begun("'") === ended && begun('"') === 0 ? "'" : '"'
}
