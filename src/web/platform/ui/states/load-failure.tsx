import { errorText } from '../../i18n/error-text.ts'
import { useTranslation } from '../../i18n/i18n.ts'
import { Button } from '../button.tsx'
import { Callout } from '../callout.tsx'

type Props = { error: Error; title?: string; onRetry: () => void }

/** Shows why something could not be loaded, with a button that tries again. */
export function LoadFailure({ error, title, onRetry }: Props) {
  const { t } = useTranslation('common')
  return (
    <Callout
      tone="danger"
      title={title}
      action={
        <Button size="sm" onClick={onRetry}>
          {t('actions.retry')}
        </Button>
      }
    >
      {errorText(t, error)}
    </Callout>
  )
}
