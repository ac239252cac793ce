import type { AuditEntry } from '#shared/identity/audit/audit.ts'
import { CSV_START, csvRow, csvStyles } from '#shared/platform/csv.ts'
import type { Language } from '#shared/platform/primitives.ts'
import english from '../../../../locales/en/admin.json' with { type: 'json' }
import french from '../../../../locales/fr/admin.json' with { type: 'json' }

type Page = (from: number) => Promise<AuditEntry[]>

/** Streams the log as a spreadsheet file. Actions appear under their stable names. */
export async function* writeAuditFile(
  page: Page,
  language: Language,
  timeZone: string,
): AsyncGenerator<string> {
  const { audit } = language === 'fr' ? french : english
  const style = csvStyles[language]
  const time = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone })
  const { entry, when, who, did, subject, company, address, result, changes, fingerprint } = audit.column
  yield CSV_START +
    csvRow([entry, when, who, did, subject, company, address, result, changes, fingerprint], style)
  for (let entries = await page(0); entries.length > 0; entries = await page(entries.at(-1)?.id ?? 0)) {
    yield entries
      .map((one) =>
        csvRow(
          [
            ...[one.id, time.format(new Date(one.at)), one.actor.name, one.did, one.subject, one.company],
            ...[one.address, one.refused ? audit.refused : audit.done],
            one.changes
              .map(({ what, before, after }) => `${what}: ${before ?? '–'} → ${after ?? '–'}`)
              .join('; '),
            one.fingerprint,
          ],
          style,
        ),
      )
      .join('')
  }
}
