import { useQueries } from '@tanstack/react-query'
import { useEffect } from 'react'
import { getDocument } from '#shared/knowledge/documents/documents.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { isBeingRead, noteReading, type Upload } from '../../uploads/uploads.ts'

/** Polling interval while files are read, because phases are not pushed. */
const READING_MS = 1_000
/** Files followed at the same time. The others follow once these are read. */
const MAX_FOLLOWED = 8

/** Follows the reading of files that were added to a message. */
export function useReading(items: readonly Upload[]): void {
  const ids = items.filter(isBeingRead).flatMap(({ document }) => document?.id ?? [])
  const answers = useQueries({
    queries: ids.slice(0, MAX_FOLLOWED).map((id) => ({
      queryKey: ['document-reading', id],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        call(getDocument, { params: { documentId: id }, query: {}, signal }),
      refetchInterval: READING_MS,
    })),
  })
  useEffect(() => {
    for (const { data } of answers) if (data) noteReading(data)
  }, [answers])
}
