import { useInfiniteQuery } from '@tanstack/react-query'
import { type Document, listDocuments } from '#shared/documents/documents.ts'
import { call } from '../web/lib/call.ts'
import { useTranslation } from '../web/ui/card-parts.ts'
import { sizeText } from '../web/ui/file-size.ts'
import { FileTile } from '../web/ui/file-tile.tsx'
import type { MadeViewProps } from './viewer.ts'

const PAGE = 100
const WORKING_MS = 5_000

/** The documents that were found inside of another one, by name. */
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

/** A document within another one, as a card that opens it. */
export function InnerDocument({ document, linkTo }: { document: Document } & Pick<MadeViewProps, 'linkTo'>) {
  const { t } = useTranslation('documents')
  const { name, size, status } = document
  const state = status === 'completed' ? '' : t(`status.${status}`)
  return (
    <a
      {...linkTo(document.id)}
      className="flex min-h-12 items-center gap-2.5 rounded-card border border-line px-2 py-1.5 hover-motion hover:bg-surface"
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
