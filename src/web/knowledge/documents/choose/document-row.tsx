import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { getDocument } from '#shared/knowledge/documents/documents.ts'
import { extensionOf } from '#shared/platform/file-extension.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { callOrNotFound } from '../../../platform/lib/api/call.ts'
import { FileTile } from '../../../platform/ui/files/file-tile.tsx'
import { Skeleton } from '../../../platform/ui/states/skeleton.tsx'

type DocumentRowProps = {
  id: string
  /** Rendered at its end; receives the name. */
  children?: (name: string) => ReactNode
}

/** A selected document as a link, or a note that it cannot be viewed. */
export function DocumentRow({ id, children }: DocumentRowProps) {
  const { t } = useTranslation('documents')
  const { data, isPending } = useQuery({
    queryKey: ['documents', 'one', id],
    queryFn: ({ signal }) => callOrNotFound(getDocument, { params: { documentId: id }, signal }),
    staleTime: 60_000,
    retry: false,
  })
  const document = data && !('notFound' in data) ? data : null
  const name = document?.name ?? t('choose.unavailable')
  return (
    <li className="flex min-h-12 items-center gap-3 py-1.5 pr-2 pl-3.5">
      <FileTile extension={extensionOf(document?.name ?? '')} size="sm" />
      <span className="min-w-0 flex-1">
        {isPending ? (
          <Skeleton className="h-4 w-48" />
        ) : document ? (
          <Link
            to="/documents/preview/$documentId"
            params={{ documentId: id }}
            className="block truncate rounded-control text-13 font-medium hover:underline"
          >
            {name}
          </Link>
        ) : (
          <>
            <span className="block text-13 font-medium">{name}</span>
            <span className="block text-12 text-ink-3">{t('choose.unavailable_note')}</span>
          </>
        )}
      </span>
      {children?.(name)}
    </li>
  )
}
