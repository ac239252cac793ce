import { CircleCheck, CircleSlash, Clock } from 'lucide-react'
import type { ManagedUser } from '#shared/identity/administration/administration.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Badge } from '../../../platform/ui/badge.tsx'

/** The state of an account: active, deactivated or unverified, with its second step and beta access. */
export function StateBadges({ user }: { user: ManagedUser }) {
  const { t } = useTranslation('admin')
  return (
    <span className="flex flex-wrap gap-1">
      {!user.is_active && (
        <Badge tone="danger" icon={<CircleSlash aria-hidden />}>
          {t('administration.deactivated')}
        </Badge>
      )}
      {user.is_active && user.verified && (
        <Badge tone="success" icon={<CircleCheck aria-hidden />}>
          {t('administration.filter.active')}
        </Badge>
      )}
      {!user.verified && (
        <Badge tone="warning" icon={<Clock aria-hidden />}>
          {t('administration.unverified')}
        </Badge>
      )}
      {user.has_second_factor && <Badge tone="line">{t('administration.two_steps')}</Badge>}
      {user.beta_access && <Badge tone="accent">{t('administration.beta')}</Badge>}
    </span>
  )
}
