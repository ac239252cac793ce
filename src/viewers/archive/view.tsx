import { FileArchive } from 'lucide-react'
import { Button } from '../../web/platform/ui/button.tsx'
import { useTranslation } from '../../web/platform/ui/card-parts.ts'
import { EmptyState } from '../../web/platform/ui/states/empty-state.tsx'
import { Skeletons } from '../../web/platform/ui/states/skeleton.tsx'
import { InnerDocument, useInnerDocuments } from '../inner-documents.tsx'
import type { MadeViewProps } from '../viewer.ts'

/** Shows an archive: its files, each a separate document. */
export default function ArchiveView({ document, linkTo }: MadeViewProps) {
  const { t } = useTranslation('documents')
  const { data, isError, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } =
    useInnerDocuments(document)
  if (isError && !data)
    return (
      <EmptyState
        title={t('viewer.inside_failed')}
        action={<Button onClick={() => void refetch()}>{t('common:actions.retry')}</Button>}
      />
    )
  if (!data) return <Skeletons className="column grid gap-2 py-8" sizes={['h-12 w-full', 'h-12', 'h-12 ']} />
  const total = data.pages[0]?.total ?? 0
  if (total === 0)
    return (
      <EmptyState page icon={<FileArchive aria-hidden />} title={t('viewer.archive_empty')}>
        {t('viewer.archive_empty_about')}
      </EmptyState>
    )
  return (
    <div className="min-h-0 flex-1 overflow-auto">
      <section aria-label={t('viewer.files_in', { name: document.name })} className="column py-6">
        <p className="mb-3 text-13 text-ink-2">{t('viewer.files_inside', { count: total })}</p>
        <ul className="grid gap-2">
          {data.pages
            .flatMap(({ items }) => items)
            .map((one) => (
              <li key={one.id}>
                <InnerDocument document={one} linkTo={linkTo} />
              </li>
            ))}
        </ul>
        {hasNextPage && (
          <Button className="mt-3" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {t('viewer.files_more')}
          </Button>
        )}
      </section>
    </div>
  )
}
