import { type ReactNode, useEffect, useState } from 'react'
import type { User } from '#shared/identity/accounts/accounts.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { isOpenTo, useMe } from '../../platform/lib/me/me.ts'
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

/**
 * Shows a view to those to whom its feature or control is open; others see that it is closed or hidden. A view in which the person has
 * typed stays until they leave it: hiding is not a right, so what they typed can still be saved.
 */
export function ForFeature({ feature, children }: ForFeatureProps) {
  const { t } = useTranslation('common')
  const me = useMe()
  const hasTyped = useHasTyped()
  if (!me || isOpenTo(me, feature)) return children
  const isClosed = me.closed_features?.some((name) => name === feature)
  if (hasTyped && !isClosed) return children
  return (
    <View title={t('closed.title')}>
      <ClosedPart isHidden={!isClosed} />
    </View>
  )
}

/** Returns whether the person has typed in the view, or in a dialog above it. */
function useHasTyped(): boolean {
  const [hasTyped, setTyped] = useState(false)
  useEffect(() => {
    const onInput = ({ target }: Event) => {
      if (target instanceof Element && target.closest('#main, dialog, [role=dialog]')) setTyped(true)
    }
    document.addEventListener('input', onInput)
    return () => document.removeEventListener('input', onInput)
  }, [])
  return hasTyped
}
