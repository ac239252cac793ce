import type { UnknownGroups as Unknown } from '#shared/identity/accounts/sign-on-ways.ts'
import { formatDate, formatNumber } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'

/** Says of how many people a provider did not send the groups; nothing when it sent all. */
export function UnknownGroups({ name, found }: { name: string; found: readonly Unknown[] }) {
  const { t } = useTranslation('admin')
  return found.map(({ reason, people, last_at }) => (
    <span key={reason} className="block text-12 text-warning">
      {t(`administration.sign_on.unknown.${reason}`, {
        ...{
          name,
          count: people,
          people: formatNumber(people),
          time: formatDate(last_at, { dateStyle: 'medium', timeStyle: 'short' }),
        },
      })}
    </span>
  ))
}
