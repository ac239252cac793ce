import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Delayed, Skeleton } from '../../../platform/ui/states/skeleton.tsx'

/** A placeholder of a question and its answer while messages load. */
export function TranscriptSkeleton() {
  const { t } = useTranslation('streaming_blocks')
  return (
    <div role="status" aria-label={t('loading_messages')} className="column min-h-0 flex-1 pt-7">
      <Delayed>
        <Skeleton className="ml-auto h-11 w-7/12 rounded-bubble" />
        <Skeleton className="mt-8 h-4 w-4/12" />
        <Skeleton className="mt-4 h-3 w-11/12" />
        <Skeleton className="mt-3 h-3 w-10/12" />
        <Skeleton className="mt-3 h-3 w-11/12" />
        <Skeleton className="mt-3 h-3 w-7/12" />
      </Delayed>
    </div>
  )
}
