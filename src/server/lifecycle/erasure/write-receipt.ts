import { ERASURE_HOURS, erasedKinds, type Receipt } from '#shared/lifecycle/erasure/erasure.ts'
import { localeOf } from '#shared/platform/locale.ts'
import type { Language } from '#shared/platform/primitives.ts'
import english from '../../../../locales/en/erasure.json' with { type: 'json' }
import french from '../../../../locales/fr/erasure.json' with { type: 'json' }
import { fill } from '../../chat/exports/exports.ts'
import { findMailLook, wearLook } from '../../identity/branding/branding.ts'
import type { Platform } from '../../platform/platform.ts'
import { SecretError } from '../../platform/secrets.ts'
import type { Erasure } from './store.ts'

export function showReceipt(erasure: Erasure): Receipt {
  const { id, asked_by, requested_at, finished_at, counts } = erasure
  const due = new Date(requested_at.getTime() + ERASURE_HOURS * 3_600_000)
  return {
    ...{ id, asked_by, counts },
    requested_at: requested_at.toISOString(),
    due_at: due.toISOString(),
    finished_at: finished_at?.toISOString() ?? null,
  }
}

/** Formats a receipt as text: what was deleted, in numbers, and what remains. */
export function writeReceipt(receipt: Receipt, language: Language): string {
  const { receipt: words } = language === 'fr' ? french : english
  const locale = localeOf(language)
  const time = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'long', timeZone: 'UTC' })
  const number = new Intl.NumberFormat(locale)
  const at = (moment: string) => time.format(new Date(moment))
  const { id, asked_by, requested_at, finished_at, due_at, counts } = receipt
  const rows = erasedKinds.flatMap((kind) => {
    const count = counts[kind] ?? 0
    const shown =
      kind === 'file_bytes' ? fill(words.bytes, { count: number.format(count) }) : number.format(count)
    return count === 0 ? [] : [fill(words.row, { what: words.kinds[kind], count: shown })]
  })
  return [
    words.title,
    '',
    fill(words.number, { id }),
    fill(words.asked[asked_by], { date: at(requested_at) }),
    finished_at ? fill(words.finished, { date: at(finished_at) }) : fill(words.due, { date: at(due_at) }),
    '',
    words.deleted,
    ...rows.map((row) => `- ${row}`),
    ...(rows.length === 0 ? [`- ${words.nothing}`] : []),
    '',
    words.stays,
    ...[words.stays_audit, words.stays_sums, words.stays_copies, words.stays_backups].map(
      (row) => `- ${row}`,
    ),
    '',
  ].join('\n')
}

/** Decrypts the address for a receipt; null when that is impossible, as after a key replacement. */
export function openAddress({ secrets }: Pick<Platform, 'secrets'>, sealed: string | null): string | null {
  try {
    return sealed === null ? null : secrets.open(sealed)
  } catch (error) {
    if (error instanceof SecretError) return null
    throw error
  }
}

/** Mails a receipt. Without a mail server nothing is written to the outbox. */
export async function mailReceipt(
  deps: Pick<Platform, 'db' | 'mail' | 'secrets'>,
  erasure: Erasure,
): Promise<void> {
  const to = openAddress(deps, erasure.email)
  if (to === null || (await deps.mail.host()) === null) return
  const language = erasure.language === 'fr' ? 'fr' : 'en'
  const text = writeReceipt(showReceipt(erasure), language)
  const { title: subject } = (language === 'fr' ? french : english).receipt
  const look = await findMailLook(deps.db, { companyId: erasure.company_id })
  await deps.mail.send(wearLook(look, { to, subject, text, html: `<pre>${text}</pre>` }))
}
