import writeXlsxFile from 'write-excel-file/browser'
import type { TableWords } from '#shared/markdown/plain-text.ts'

/** Characters of the widest cell that a column makes room for. */
const WIDEST = 60

/** A table as an Excel workbook with one sheet: a bold head that stays, and numbers as numbers. */
export function tableWorkbook({ head, rows }: TableWords): Promise<Blob> {
  const cells = [
    head.map((value) => ({ value, type: String, fontWeight: 'bold' as const })),
    ...rows.map((row) => head.map((_, at) => cellOf(row[at] ?? ''))),
  ]
  const widthOf = (at: number) => Math.max(...[head, ...rows].map((row) => row[at]?.length ?? 0))
  const columns = head.map((_, at) => ({ width: Math.min(WIDEST, widthOf(at) + 2) }))
  return writeXlsxFile(cells, { columns, stickyRowsCount: 1 }).toBlob()
}

/** A number as programs write it; one with a unit or a group of thousands stays the text it is. */
const plainNumber = /^-?\d{1,15}(?:\.\d{1,15})?$/

function cellOf(words: string) {
  // A code with zeros in front is no number.
  if (plainNumber.test(words) && !/^-?0\d/.test(words)) return { value: Number(words), type: Number }
  return { value: words, type: String }
}
