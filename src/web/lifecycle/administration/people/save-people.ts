import { listManagedUsers, type ManagedUser } from '#shared/identity/administration/administration.ts'
import { CSV_START, csvRow, csvStyles } from '#shared/platform/csv.ts'
import { currentLanguage, type TFunction } from '../../../platform/i18n/i18n.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { saveFile } from '../../../platform/ui/files/save-file.ts'

/** Users per request. */
const PAGE = 100

/** Saves people as a CSV file, in the spreadsheet style of the language. */
export function savePeople(t: TFunction, people: readonly ManagedUser[]): void {
  const style = csvStyles[currentLanguage()]
  const head = [
    'name',
    'username',
    'email',
    'companies',
    'active',
    'verified',
    'two_steps',
    'created',
    'used',
  ]
  const rows = people.map((user) => [
    user.full_name?.trim() || user.username,
    user.username,
    user.email,
    user.companies.map(({ name, role }) => `${name} (${t(`administration.role.${role}`)})`).join('\n'),
    ...[user.is_active, user.verified, user.has_second_factor].map((is) =>
      t(is ? 'administration.file.yes' : 'administration.file.no'),
    ),
    user.created_at,
    user.last_used_at,
  ])
  const lines = [head.map((name) => t(`administration.file.${name}`)), ...rows].map((row) =>
    csvRow(row, style),
  )
  saveFile(new Blob([CSV_START, ...lines], { type: 'text/csv' }), `${t('administration.file.title')}.csv`)
}

/** Returns everybody who matches a query, page by page. */
export async function readEverybody(query: Record<string, string>): Promise<ManagedUser[]> {
  const people: ManagedUser[] = []
  for (let page = 1; ; page += 1) {
    const { items, has_more } = await call(listManagedUsers, {
      query: { ...query, page: String(page), limit: String(PAGE) },
    })
    people.push(...items)
    if (!has_more) return people
  }
}
