import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'

/** Shows why a load failed, with a retry button. */
export function ReadFailed({ error, onRetry }: { error: unknown; onRetry: () => unknown }) {
  const { t } = useTranslation('admin')
  return (
    <Callout
      tone="danger"
      title={t('administration.failed')}
      action={
        <Button size="sm" onClick={() => void onRetry()}>
          {t('models.retry')}
        </Button>
      }
    >
      {errorText(t, error)}
    </Callout>
  )
}
