import { errorText } from '../../../platform/i18n/error-text.ts'
import { formatNumber } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Callout } from '../../../platform/ui/callout.tsx'
import { sizeText } from '../../../platform/ui/files/file-size.ts'
import { Spinner } from '../../../platform/ui/states/spinner.tsx'
import type { useCount } from './use-trial.ts'

type Props = Pick<ReturnType<typeof useCount>, 'count' | 'error' | 'retry'> & {
  /** False while no folder is chosen. */
  isComplete: boolean
}

/** Number and size of the items that would be read. */
export function CountBox({ count, error, retry, isComplete }: Props) {
  const { t } = useTranslation('connectors')
  const least = (text: string) => (count?.is_complete === false ? t('count.at_least', { value: text }) : text)
  // Pages and messages have no size before they are read.
  const size = ({ items, bytes }: NonNullable<typeof count>) =>
    items > 0 && bytes === 0 ? t('count.size_unknown') : least(sizeText(t, bytes))
  const rows: [string, string][] = [
    [t('count.items'), count ? least(formatNumber(count.items)) : '–'],
    [t('count.size'), count ? size(count) : '–'],
    [t('count.too_large'), count ? least(formatNumber(count.too_large)) : '–'],
  ]
  const isCounting = isComplete && !count && !error
  return (
    <section aria-label={t('count.title')}>
      <h3 className="mb-2 text-13 font-semibold">{t('count.title')}</h3>
      <dl className="grid gap-1.5 rounded-card border border-line px-4 py-3 text-13" aria-busy={isCounting}>
        {rows.map(([name, value]) => (
          <div key={name} className="flex items-baseline justify-between gap-3">
            <dt className="text-ink-2">{name}</dt>
            <dd className="num font-semibold">{value}</dd>
          </div>
        ))}
      </dl>
      <p role="status" className="mt-1.5 flex min-h-5 items-center gap-2 text-12 text-ink-3">
        {isCounting && <Spinner className="icon-12" />}
        {isCounting && t('count.counting')}
        {!isComplete && t('count.choose')}
        {count?.items === 0 && t('count.nothing')}
        {count && !count.is_complete && t('count.partly')}
      </p>
      {error && (
        <Callout
          tone="danger"
          title={t('count.failed')}
          action={
            <Button size="sm" onClick={() => void retry()}>
              {t('common:actions.retry')}
            </Button>
          }
        >
          {errorText(t, error)}
        </Callout>
      )}
    </section>
  )
}
