import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Document } from '#shared/knowledge/documents/documents.ts'
import { listDocumentVersions, restoreDocumentVersion } from '#shared/knowledge/documents/versions.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { queryClient } from '../../../platform/lib/api/query-client.ts'
import { toast } from '../../../platform/ui/toasts/toasts.ts'
import { useUploads } from '../../uploads/uploads.ts'
import { readDocumentAgain } from '../use-document.ts'

const PAGE = 20

/** The versions of a document, newest first, in pages. */
export function useVersions(documentId: string) {
  return useInfiniteQuery({
    queryKey: [`document:${documentId}`, 'versions'],
    queryFn: ({ pageParam, signal }) =>
      call(listDocumentVersions, {
        params: { documentId },
        query: { page: pageParam, limit: PAGE },
        signal,
      }),
    initialPageParam: 1,
    getNextPageParam: ({ has_more, page }) => (has_more ? page + 1 : null),
  })
}

/** Restores an older version, and refetches every view of the document. */
export function useRestore({ id }: Pick<Document, 'id'>, onDone: () => void) {
  const { t } = useTranslation('documents')
  return useMutation({
    mutationFn: (version: number) => call(restoreDocumentVersion, { params: { documentId: id, version } }),
    onSuccess: (_, version) => {
      void toast.success(t('versions.restored', { version }))
      onDone()
    },
    onError: (error) => void toast.error(errorText(t, error)),
    onSettled: () =>
      Promise.all([readDocumentAgain(id), queryClient.invalidateQueries({ queryKey: ['documents'] })]),
  })
}

/** Shows a newly uploaded version immediately. */
export function useNewerFiles({ id }: Pick<Document, 'id'>): void {
  const arrived = useUploads(
    ({ items }) => items.filter(({ target, state }) => target.documentId === id && state === 'done').length,
  )
  useEffect(() => {
    if (arrived > 0) void readDocumentAgain(id)
  }, [arrived, id])
}
