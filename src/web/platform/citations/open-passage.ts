import { queryOptions } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { PassagePlace } from '#shared/platform/citations/passages.ts'
import { extensionOf } from '#shared/platform/file-extension.ts'
import { queryClient } from '../lib/api/query-client.ts'

/** The contracts of documents are no part of what a chat begins with. */
const loadReader = () => import('./read-passage.ts')

/** Rights are asked again at the latest after this time. */
export const TRUSTED_MS = 30_000

/** A cited passage as its reader may see it now. */
export const passageQuery = (documentId: string, chunkId: string) =>
  queryOptions({
    queryKey: ['cited-passage', documentId, chunkId],
    queryFn: async ({ signal }) => (await loadReader()).readPassage(documentId, chunkId, signal),
    staleTime: TRUSTED_MS,
    gcTime: TRUSTED_MS,
  })

export type PassageWays = {
  /** Where a passage stands: beside the chat when there is one, else in the view of its document. */
  hrefOf: (passage: PassagePlace, chunkId: string) => string
  /** Goes there; false when its document is gone or was withdrawn: then nothing opens. */
  open: (passage: PassagePlace, chunkId: string) => Promise<boolean>
}

/** The ways to the passages of an answer. */
export function usePassageWays(): PassageWays {
  const router = useRouter({ warn: false }) as ReturnType<typeof useRouter> | undefined
  return useMemo(() => {
    const isBesideChat = () => /^\/(chat\/|$)/.test((router?.state.location ?? location).pathname)
    return {
      hrefOf: (passage, chunkId) => {
        const { to, search } = wayTo(passage, chunkId, isBesideChat())
        return `${to === '.' ? '' : to}?${new URLSearchParams(search)}`
      },
      open: async (passage, chunkId) => {
        if (!(await isThere(passage.document_id, chunkId))) return false
        void router?.navigate(wayTo(passage, chunkId, isBesideChat()) as never)
        return true
      },
    }
  }, [router])
}

function wayTo({ document_id, document_name }: PassagePlace, chunk: string, isBesideChat: boolean) {
  // A page of the web has its passages marked in what was read of it.
  const view: Record<string, string> = ['html', 'htm'].includes(extensionOf(document_name))
    ? { view: 'digitized' }
    : {}
  return isBesideChat
    ? { to: '.', search: { document: document_id, chunk, ...view } }
    : { to: `/documents/${document_id}`, search: { chunk, ...view } }
}

/** What cannot be asked now is left to the document's own view, which says so and asks again. */
async function isThere(documentId: string, chunkId: string): Promise<boolean> {
  try {
    return !('notFound' in (await queryClient.fetchQuery(passageQuery(documentId, chunkId))))
  } catch {
    return true
  }
}

/** The way to a whole document: beside the chat when there is one, else its own view. */
export function useDocumentWay(documentId: string): { href: string; open: () => void } {
  const router = useRouter({ warn: false }) as ReturnType<typeof useRouter> | undefined
  const isBesideChat = /^\/(chat\/|$)/.test((router?.state.location ?? location).pathname)
  const way = isBesideChat
    ? { to: '.', search: { document: documentId } }
    : { to: `/documents/${documentId}`, search: {} }
  return {
    href: isBesideChat ? `?document=${documentId}` : way.to,
    open: () => void router?.navigate(way as never),
  }
}
