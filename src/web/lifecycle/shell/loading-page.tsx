import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Skeleton } from '../../platform/ui/states/skeleton.tsx'

/** Shown until the person is known: a message, and the outline of the page. */
export function LoadingPage() {
  const { t } = useTranslation('common')
  return (
    <div role="status" className="flex h-dvh">
      <div className="hidden w-75 flex-none flex-col gap-3 border-r border-line bg-surface p-4 md:flex">
        <Skeleton className="h-5.5 w-24" />
        <Skeleton className="mt-2 h-9 w-full" />
        <Skeleton className="h-7 w-40" />
        <Skeleton className="h-7 w-32" />
        <Skeleton className="h-7 w-36" />
      </div>
      <div className="grid flex-1 place-content-center text-13 text-ink-2">{t('loading')}</div>
    </div>
  )
}
