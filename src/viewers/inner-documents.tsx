import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { type Document, listDocuments, retryDocument } from '#shared/knowledge/documents/documents.ts'
import { call } from '../web/platform/lib/api/call.ts'
import { queryClient } from '../web/platform/lib/api/query-client.ts'
import { Button } from '../web/platform/ui/button.tsx'
import { useTranslation } from '../web/platform/ui/card-parts.ts'
import { sizeText } from '../web/platform/ui/files/file-size.ts'
import { FileTile } from '../web/platform/ui/files/file-tile.tsx'
import { toast } from '../web/platform/ui/toasts/toasts.ts'
import type { MadeViewProps } from './viewer.ts'

const PAGE = 100
const WORKING_MS = 5_000

/** Loads the documents inside another one, by name. */
export function useInnerDocuments({ id }: Pick<Document, 'id'>) {
  return useInfiniteQuery({
    queryKey: ['documents', 'inside', id],
    queryFn: ({ pageParam, signal }) =>
      call(listDocuments, {
        query: { parent_id: id, sort: 'name', order: 'asc', limit: PAGE, page: pageParam },
        signal,
      }),
    initialPageParam: 1,
    getNextPageParam: ({ has_more, page }) => (has_more ? page + 1 : null),
    refetchInterval: ({ state: { data } }) =>
      data?.pages.every(({ items }) => items.every(isOver)) === false ? WORKING_MS : false,
  })
}

const isOver = ({ status }: Document) => status === 'completed' || status === 'failed'

/** Shows an inner document as a card with a link, and with a retry button when its reading failed. */
export function InnerDocument({ document, linkTo }: { document: Document } & Pick<MadeViewProps, 'linkTo'>) {
  return (
    <div className="flex items-center gap-1.5">
      <Opener document={document} linkTo={linkTo} />
      {document.status === 'failed' && <GoOn document={document} />}
    </div>
  )
}

function GoOn({ document: { id, name } }: { document: Document }) {
  const { t } = useTranslation('documents')
  const retrying = useMutation({
    mutationFn: () => call(retryDocument, { params: { documentId: id } }),
    onError: () => toast.error(t('go_on_failed', { name })),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['documents'] }),
  })
  return (
    <Button
      size="sm"
      busy={retrying.isPending}
      aria-label={t('card.retry', { name })}
      onClick={() => retrying.mutate()}
    >
      {t('card.retry_short')}
    </Button>
  )
}

function Opener({ document, linkTo }: { document: Document } & Pick<MadeViewProps, 'linkTo'>) {
  const { t } = useTranslation('documents')
  const { name, size, status } = document
  const state = status === 'completed' ? '' : t(`status.${status}`)
  return (
    <a
      {...linkTo(document.id)}
      className="flex min-h-12 min-w-0 flex-1 items-center gap-2.5 rounded-card border border-line px-2 py-1.5 hover-motion hover:bg-surface"
    >
      <FileTile extension={document.extension} />
      <span className="min-w-0">
        <span title={name} className="block truncate text-13 font-medium">
          {name}
        </span>
        <span className="num block truncate text-12 text-ink-2">
          {[sizeText(t, size), state].filter(Boolean).join(' · ')}
        </span>
      </span>
    </a>
  )
}
