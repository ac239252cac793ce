import { Link } from '@tanstack/react-router'
import { Archive, MessageSquare, SearchX } from 'lucide-react'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { isApiError } from '../../../platform/lib/api/api-error.ts'
import { Button, buttonLook } from '../../../platform/ui/button.tsx'
import { EmptyState } from '../../../platform/ui/states/empty-state.tsx'
import type { HistoryFilter } from './history-filter.ts'

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

type HistoryNothingProps = { query: string; filter: HistoryFilter; onArchive: () => void }

/** Shows that there are no conversations, no hits, or none that the filter lets through. */
export function HistoryNothing({ query, filter, onArchive }: HistoryNothingProps) {
  const { t } = useTranslation('common')
  if (query)
    return (
      <EmptyState icon={<SearchX aria-hidden />} title={t('history.no_hits_title')}>
        {t('history.no_hits_text', { query })}
      </EmptyState>
    )
  if (filter.isArchived)
    return (
      <EmptyState icon={<Archive aria-hidden />} title={t('history.archive_empty_title')}>
        {t('history.archive_empty_text')}
      </EmptyState>
    )
  if (filter.tags.length > 0)
    return <EmptyState icon={<SearchX aria-hidden />} title={t('history.tags.no_chats')} />
  return (
    <EmptyState
      icon={<MessageSquare aria-hidden />}
      title={t('history.empty_title')}
      action={
        <span className="flex flex-wrap justify-center gap-1">
          <Button variant="ghost" onClick={onArchive}>
            {t('history.archive_open')}
          </Button>
          <Link to="/trash" className={buttonLook({ variant: 'ghost' })}>
            {t('history.trash')}
          </Link>
        </span>
      }
    >
      {t('history.empty_text')}
    </EmptyState>
  )
}
