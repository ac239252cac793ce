import { useLocation } from '@tanstack/react-router'
import { Construction } from 'lucide-react'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { EmptyState } from '../../platform/ui/states/empty-state.tsx'
import { View } from '../../platform/ui/view.tsx'
import { viewOf } from './view-names.ts'

/** Placeholder for a view that does not exist yet. */
export function NotImplementedView() {
  const { t } = useTranslation('common')
  const { pathname } = useLocation()
  return (
    <View title={t(`nav.${viewOf(pathname)}`)}>
      <EmptyState page icon={<Construction aria-hidden />} title={t('view_not_implemented')}>
        {t('view_not_implemented_hint')}
      </EmptyState>
    </View>
  )
}
