import { WifiOff } from 'lucide-react'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Button } from '../../platform/ui/button.tsx'
import { EmptyState } from '../../platform/ui/states/empty-state.tsx'

/** The server does not say who is signed in, so nothing can be shown yet. */
export function UnreachablePage({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useTranslation('common')
  return (
    <main className="flex h-dvh flex-col">
      <EmptyState
        page
        icon={<WifiOff aria-hidden />}
        title={t('unreachable')}
        action={
          <Button variant="primary" size="lg" onClick={onRetry}>
            {t('actions.retry')}
          </Button>
        }
      >
        {errorText(t, error)}
      </EmptyState>
    </main>
  )
}
