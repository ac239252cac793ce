import { CSV_START, csvRow, csvStyles } from '#shared/csv.ts'
import type { Language } from '#shared/primitives.ts'
import english from '../../../locales/en/common.json' with { type: 'json' }
import french from '../../../locales/fr/common.json' with { type: 'json' }
import type { Executor } from './store.ts'
import { type FileEntry, type LedgerFilter, readEntries } from './usage-store.ts'

type UsageFile = {
  userId: string
  filter: LedgerFilter
  timeZone: string
  language: Language
  /** Whether money is counted: then each entry says the balance after it. */
  hasBalance: boolean
  /** Whether titles of chats and reasons of bookings are written, which people worded. */
  hasWords: boolean
}

/** Whether a person booked an entry and gave its reason. */
export const isBooking = (kind: string) => kind === 'top_up' || kind === 'correction'

/** A ledger as a file for a spreadsheet, written while it is read: it may be of any length. */
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
