import { TriangleAlert } from 'lucide-react'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Button } from '../../platform/ui/button.tsx'
import { EmptyState } from '../../platform/ui/states/empty-state.tsx'
import { View } from '../../platform/ui/view.tsx'

/** Shown if a view crashed; the rest of the shell keeps working. */
export function ViewError() {
  const { t } = useTranslation('common')
  return (
    <View title={t('unexpected.title')}>
      <EmptyState
        page
        icon={<TriangleAlert aria-hidden />}
        title={t('unexpected.title')}
        action={
          <Button variant="primary" size="lg" onClick={() => location.reload()}>
            {t('unexpected.reload')}
          </Button>
        }
      >
        {t('unexpected.text')}
      </EmptyState>
    </View>
  )
}
