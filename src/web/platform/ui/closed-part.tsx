import { Lock } from 'lucide-react'
import { useTranslation } from '../i18n/i18n.ts'
import { EmptyState } from './states/empty-state.tsx'

/** Shown instead of a feature that an administrator has not opened to the person. */
export function ClosedPart() {
  const { t } = useTranslation('common')
  return (
    <EmptyState page icon={<Lock aria-hidden />} title={t('closed.heading')}>
      {t('closed.text')}
    </EmptyState>
  )
}
