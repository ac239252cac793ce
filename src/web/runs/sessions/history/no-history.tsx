import { MessageSquare, SearchX } from 'lucide-react'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { isApiError } from '../../../platform/lib/api/api-error.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { EmptyState } from '../../../platform/ui/states/empty-state.tsx'

/** Shows why the list could not be read, with a retry button. */
export function HistoryFailed({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const { t } = useTranslation('common')
  return (
    <EmptyState
      title={t('history.failed_title')}
      action={<Button onClick={onRetry}>{t('history.retry')}</Button>}
    >
      <span role="alert">{isApiError(error) ? errorText(t, error) : error.message}</span>
    </EmptyState>
  )
}

/** Shows that there are no conversations, or no hits. */
export function HistoryNothing({ query }: { query: string }) {
  const { t } = useTranslation('common')
  if (query)
    return (
      <EmptyState icon={<SearchX aria-hidden />} title={t('history.no_hits_title')}>
        {t('history.no_hits_text', { query })}
      </EmptyState>
    )
  return (
    <EmptyState icon={<MessageSquare aria-hidden />} title={t('history.empty_title')}>
      {t('history.empty_text')}
    </EmptyState>
  )
}
