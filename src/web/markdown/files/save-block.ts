import { CSV_START, csvRow, csvStyles } from '#shared/csv.ts'
import { currentLanguage, translate } from '../../i18n/i18n.ts'
import { saveFile } from '../../ui/save-file.ts'
import { toast } from '../../ui/toasts/toasts.ts'
import { plainText } from '../syntax/plain-text.ts'
import type { CodeBlock, TableBlock } from '../syntax/tree.ts'
import { endingOf } from './code-file.ts'

/** Saves code as a file of its language. */
export function saveCode({ text, lang }: Pick<CodeBlock, 'text' | 'lang'>): void {
  save('code', endingOf(lang), text)
}

/** Saves a table for a spreadsheet of the reader's language; no cell of it is run there. */
export function saveTable({ head, rows }: TableBlock): void {
  const style = csvStyles[currentLanguage()]
  const lines = [head, ...rows].map((row) => csvRow(row.map(plainText), style))
  save('table', 'csv', CSV_START + lines.join(''))
}

function save(name: 'code' | 'table', ending: string, content: string): void {
  saveFile(new Blob([content], { type: 'text/plain;charset=utf-8' }), `${fileName(name)}.${ending}`)
  void toast.success(translate('streaming_blocks:markdown.saved', { ending: `.${ending}` }))
}

/** A name of its own: the time it was saved, and something by chance. */
function fileName(name: string): string {
  const time = new Date().toISOString().slice(0, 19).replace(/[T:]/g, '-')
  return `${name}-${time}-${Math.random().toString(36).slice(2, 6)}`
}
