import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { isApiError } from '../../platform/lib/api/api-error.ts'
import { Button } from '../../platform/ui/button.tsx'
import { EmptyState } from '../../platform/ui/states/empty-state.tsx'
import type { ContentKind } from './viewer-of.ts'

type ContentFailedProps = { kind: ContentKind; error: unknown; onRetry: () => void }

/** The content of a document could not be loaded. */
export function ContentFailed({ kind, error, onRetry }: ContentFailedProps) {
  const { t } = useTranslation('documents')
  // HTTP/2 sends a status without its text.
  const status = t(`preview.http_status.${isApiError(error) ? error.status : 0}`, {
    defaultValue: errorText(t, error),
  })
  const titles = { media: t('preview.media_failed'), html: t('preview.html_failed', { status }) }
  const title = kind === 'media' || kind === 'html' ? titles[kind] : t('preview.content_failed')
  return <EmptyState title={title} action={<Button onClick={onRetry}>{t('common:actions.retry')}</Button>} />
}
