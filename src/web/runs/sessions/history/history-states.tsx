import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Delayed, Skeleton } from '../../../platform/ui/states/skeleton.tsx'
import { Spinner } from '../../../platform/ui/states/spinner.tsx'

/** Shows eight skeleton rows after 150 ms. */
export function HistorySkeleton() {
  const { t } = useTranslation('common')
  return (
    <div role="status" className="min-h-0 flex-1 overflow-hidden px-3 pt-12">
      <span className="sr-only">{t('history.loading')}</span>
      <Delayed>
        {widths.map(([title, preview, state]) => (
          <div key={preview} data-skeleton className="grid h-22 content-start gap-2.5 px-3 pt-3.5">
            <Skeleton className={`h-3 ${title}`} />
            <Skeleton className={`h-2.5 ${preview}`} />
            <Skeleton className={`h-2.5 ${state}`} />
          </div>
        ))}
      </Delayed>
    </div>
  )
}

type MoreLoaderProps = { list: { isFetchNextPageError: boolean; fetchNextPage: () => unknown } }

/** The last row if there is more: a loader, or an error. */
export function MoreLoader({ list }: MoreLoaderProps) {
  const { t } = useTranslation('common')
  if (list.isFetchNextPageError)
    return (
      <div role="alert" className="flex h-full items-center justify-between gap-2 px-3 text-12 text-ink-2">
        {t('history.more_failed')}
        <Button variant="ghost" size="sm" onClick={() => void list.fetchNextPage()}>
          {t('history.retry')}
        </Button>
      </div>
    )
  return (
    <div role="status" className="flex h-full items-center justify-center text-ink-3">
      <Spinner className="icon-14" />
      <span className="sr-only">{t('history.loading')}</span>
    </div>
  )
}

const widths = [
  ['w-[72%]', 'w-[92%]', 'w-[40%]'],
  ['w-[58%]', 'w-[84%]', 'w-[34%]'],
  ['w-[66%]', 'w-[88%]', 'w-[38%]'],
  ['w-[48%]', 'w-[78%]', 'w-[30%]'],
  ['w-[70%]', 'w-[90%]', 'w-[36%]'],
  ['w-[54%]', 'w-[82%]', 'w-[32%]'],
  ['w-[62%]', 'w-[86%]', 'w-[42%]'],
  ['w-[50%]', 'w-[76%]', 'w-[28%]'],
] as const
