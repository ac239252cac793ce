import type { Area } from '#shared/knowledge/documents/ranges.ts'
import { copyText } from '../../web/platform/lib/clipboard.ts'
import type { useTranslation } from '../../web/platform/ui/card-parts.ts'
import { toast } from '../../web/platform/ui/toasts/toasts.ts'
import type { Row } from './measures.ts'
import { type Show, showIn } from './show-value.ts'
import { readRows, type SheetAt } from './use-rows.ts'

type T = ReturnType<typeof useTranslation>['t']

/** Maximum number of copied cells; programs are too slow to paste more. */
const MOST_CELLS = 1_000_000

/** Copies cells to the clipboard as tab-separated lines. */
export async function copyCells(t: T, from: SheetAt, area: Area): Promise<void> {
  const { sheet } = from
  const rows = Math.min(area.rows, sheet.rows - area.row)
  const columns = Math.min(area.columns, sheet.columns - area.column)
  if (rows <= 0 || columns <= 0) return void toast.warning(t('documents:preview.nothing_to_copy'))
  if (rows * columns > MOST_CELLS) return void toast.warning(t('documents:viewer.sheet.too_many_cells'))
  try {
    const found = await readRows(from, { first: area.row, last: area.row + rows - 1 })
    const show = showIn(t, sheet.notation)
    const text = found.map((row) => lineOf(row, { first: area.column, columns }, show)).join('\n')
    if (!(await copyText(text))) throw new Error('The browser refused.')
    void toast.success(t('documents:viewer.sheet.copied', { count: rows * columns }))
  } catch {
    void toast.error(t('documents:preview.copy_failed'))
  }
}

/** Returns a row as text; quotes cells that contain tabs, line ends or quotes. */
export function lineOf(row: Row, { first, columns }: { first: number; columns: number }, show: Show): string {
  const line = Array.from({ length: columns }, () => '')
  for (const cell of row)
    if (cell.c >= first && cell.c < first + columns) line[cell.c - first] = quoted(show(cell))
  return line.join('\t')
}

const quoted = (text: string) => (/["\t\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
