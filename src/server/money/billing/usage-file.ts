import { CSV_START, csvRow, csvStyles } from '#shared/platform/csv.ts'
import type { Language } from '#shared/platform/primitives.ts'
import english from '../../../../locales/en/common.json' with { type: 'json' }
import french from '../../../../locales/fr/common.json' with { type: 'json' }
import type { Executor } from './store.ts'
import { type FileEntry, type LedgerFilter, readEntries } from './usage-store.ts'

type UsageFile = {
  userId: string
  filter: LedgerFilter
  timeZone: string
  language: Language
  /** Whether billing is on; then each entry includes the balance after it. */
  hasBalance: boolean
  /** Whether to include user-written text: chat titles and booking reasons. */
  hasWords: boolean
}

/** Returns whether an entry was booked manually with a reason. */
export const isBooking = (kind: string) => kind === 'top_up' || kind === 'correction'

/** Streams a ledger of any length as a spreadsheet file. */
export async function* writeUsageFile(db: Executor, file: UsageFile): AsyncGenerator<string> {
  const { billing } = file.language === 'fr' ? french : english
  const style = csvStyles[file.language]
  const { file: heads } = billing
  const head = [heads.time, heads.kind, heads.chat, heads.entry, heads.model]
  const last = file.hasBalance ? [heads.balance] : []
  yield CSV_START + csvRow([...head, heads.input, heads.output, heads.amount, ...last], style)
  for await (const page of readEntries(db, file.userId, file.filter, file.timeZone)) {
    yield page
      .map((entry) =>
        csvRow([...lineOf(entry, billing, file), ...(file.hasBalance ? [entry.balance] : [])], style),
      )
      .join('')
  }
}

function lineOf(
  entry: FileEntry,
  { kinds, reasons, unpriced }: typeof english.billing,
  { hasWords }: Pick<UsageFile, 'hasWords'>,
) {
  const worded = (reasons as Record<string, string>)[entry.reason] ?? entry.reason
  const reason = hasWords || !isBooking(entry.kind) ? worded : ''
  return [
    ...[entry.time, kinds[entry.kind], hasWords ? entry.session_title : null, reason, entry.model_name],
    ...[entry.input_tokens, entry.output_tokens, entry.unpriced ? unpriced : entry.amount],
  ]
}
