import writeXlsxFile from 'write-excel-file/browser'
import type { CsvStyle } from '#shared/platform/csv.ts'
import type { TableWords } from '#shared/platform/markdown/plain-text.ts'
import { cellsOf } from './table-cells.ts'

/** Minimum and maximum column width in characters. */
const [NARROWEST, WIDEST] = [8, 60]

/** Creates an Excel workbook with one sheet: a frozen bold header, and typed cells. */
export function tableWorkbook({ head, rows }: TableWords, style: CsvStyle): Promise<Blob> {
  const columns = head.map((_, at) =>
    cellsOf(
      rows.map((row) => row[at] ?? ''),
      style,
    ),
  )
  const cells = [
    head.map((value) => ({ value, type: String, fontWeight: 'bold' as const })),
    ...rows.map((_, at) => columns.flatMap((column) => column[at] ?? [])),
  ]
  const widthOf = (at: number) => Math.max(...[head, ...rows].map((row) => row[at]?.length ?? 0))
  const widths = head.map((_, at) => ({ width: Math.min(WIDEST, Math.max(NARROWEST, widthOf(at) + 2)) }))
  return writeXlsxFile(cells, { columns: widths, stickyRowsCount: 1 }).toBlob()
}
