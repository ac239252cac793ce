import type { ReactNode } from 'react'
import type { User } from '#shared/identity/accounts/accounts.ts'
import type { Feature } from '#shared/platform/features.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { useIsOpen, useMe } from '../../platform/lib/me/me.ts'
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

/** Shows a view to those to whom its feature is open; others see that it is closed. */
export function ForFeature({ feature, children }: { feature: Feature; children: ReactNode }) {
  const { t } = useTranslation('common')
  if (useIsOpen(feature)) return children
  return (
    <View title={t('closed.title')}>
      <ClosedPart />
    </View>
  )
}
