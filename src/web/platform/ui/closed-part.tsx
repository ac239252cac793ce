import { EyeOff, Lock } from 'lucide-react'
import { useTranslation } from '../i18n/i18n.ts'
import { EmptyState } from './states/empty-state.tsx'

/** Shown instead of a feature that an administrator has not opened to the person, or of a page that one hides. */
export function ClosedPart({ isHidden = false }: { isHidden?: boolean }) {
  const { t } = useTranslation('common')
  const Icon = isHidden ? EyeOff : Lock
  return (
    <EmptyState page icon={<Icon aria-hidden />} title={t(isHidden ? 'closed.hidden' : 'closed.heading')}>
      {t(isHidden ? 'closed.hidden_text' : 'closed.text')}
    </EmptyState>
  )
}
