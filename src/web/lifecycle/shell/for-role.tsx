import type { ReactNode } from 'react'
import type { User } from '#shared/identity/accounts/accounts.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { useMe } from '../../platform/lib/me/me.ts'
import { useStaysOpen } from '../../platform/lib/me/stays-open.ts'
import { ClosedPart } from '../../platform/ui/closed-part.tsx'
import { View } from '../../platform/ui/view.tsx'
import { UnknownPath } from './gate.tsx'

type ForRoleProps = { allows: (user: User) => boolean; children: ReactNode }

/** Shows a view to those who may see it; others are redirected like from an unknown path. */
export function ForRole({ allows, children }: ForRoleProps) {
  const me = useMe()
  if (!me) return null
  return allows(me) ? children : <UnknownPath reason="forbidden" />
}

type ForFeatureProps = { feature: string; children: ReactNode }

/** Shows a view to those to whom its feature or control is open; others see that it is closed or hidden. */
export function ForFeature({ feature, children }: ForFeatureProps) {
  const { t } = useTranslation('common')
  const me = useMe()
  if (useStaysOpen(feature)) return children
  const isClosed = me?.closed_features?.some((name) => name === feature)
  return (
    <View title={t('closed.title')}>
      <ClosedPart isHidden={!isClosed} />
    </View>
  )
}
