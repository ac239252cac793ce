import { useCallback } from 'react'
import { type DocumentPart, listElements } from '#shared/knowledge/documents/documents.ts'
import { call } from '../../web/platform/lib/api/call.ts'
import { queryClient } from '../../web/platform/lib/api/query-client.ts'

const PAGES_AT_ONCE = 20

/** Loads the parts of any page, also outside the view; cached per document. */
export function usePageParts({ id, version }: { id: string; version: number }) {
  return useCallback(
    async (page: number): Promise<DocumentPart | undefined> => {
      const from = Math.floor((page - 1) / PAGES_AT_ONCE) * PAGES_AT_ONCE + 1
      const to = from + PAGES_AT_ONCE - 1
      const { parts } = await queryClient.fetchQuery({
        queryKey: [`document:${id}`, 'elements', version, from, to],
        queryFn: () => call(listElements, { params: { documentId: id }, query: { from, to, version } }),
        staleTime: Number.POSITIVE_INFINITY,
      })
      return parts.find(({ number }) => number === page)
    },
    [id, version],
  )
}
