import { csvStyles } from '#shared/platform/csv.ts'
import type { TableWords } from '#shared/platform/markdown/plain-text.ts'
import type { CodeBlock } from '#shared/platform/markdown/tree.ts'
import { currentLanguage, translate } from '../../i18n/i18n.ts'
import { saveFile } from '../../ui/files/save-file.ts'
import { toast } from '../../ui/toasts/toasts.ts'
import { endingOf } from './code-file.ts'
import { tableFile, tableFormats } from './table-file.ts'

/** Saves code as a file of its language. */
export function saveCode({ text, lang }: Pick<CodeBlock, 'text' | 'lang'>): void {
  save('code', endingOf(lang), new Blob([text], { type: 'text/plain;charset=utf-8' }))
}

/** Saves a table as a file. Shows an error without rows, or for an unknown format. */
export async function saveTable(table: TableWords, wanted: string): Promise<void> {
  const format = tableFormats.find((one) => one === wanted)
  if (!format) return refuse('unsupported_format', { format: wanted })
  if (table.rows.length === 0) return refuse('no_rows')
  try {
    save('table', format, await tableFile(table, format, csvStyles[currentLanguage()]))
  } catch {
    refuse('export_failed')
  }
}

function refuse(why: string, values: Record<string, string> = {}): void {
  void toast.error(translate(`streaming_blocks:markdown.${why}`, values))
}

function save(name: 'code' | 'table', ending: string, content: Blob): void {
  saveFile(content, `${fileName(name)}.${ending}`)
  void toast.success(translate('streaming_blocks:markdown.saved', { ending: `.${ending}` }))
}

/** Returns a unique name: the time of saving and a random part. */
function fileName(name: string): string {
  const time = new Date().toISOString().slice(0, 19).replace(/[T:]/g, '-')
  return `${name}-${time}-${Math.random().toString(36).slice(2, 6)}`
}
