import { queryOptions } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { PassagePlace } from '#shared/platform/citations/passages.ts'
import { extensionOf } from '#shared/platform/file-extension.ts'
import { queryClient } from '../lib/api/query-client.ts'

/** A chat's first load excludes the contracts of documents. */
const loadReader = () => import('./read-passage.ts')

/** Maximum age of a passage before access is checked again. */
export const TRUSTED_MS = 30_000

/** Reads a cited passage with the reader's current access. */
export const passageQuery = (documentId: string, chunkId: string) =>
  queryOptions({
    queryKey: ['cited-passage', documentId, chunkId],
    queryFn: async ({ signal }) => (await loadReader()).readPassage(documentId, chunkId, signal),
    staleTime: TRUSTED_MS,
    gcTime: TRUSTED_MS,
  })

export type PassageWays = {
  /** Returns the address of a passage: next to the chat if there is one, otherwise in the view of its document. */
  hrefOf: (passage: PassagePlace, chunkId: string) => string
  /** Navigates there. Returns false without navigating if its document was deleted or withdrawn. */
  open: (passage: PassagePlace, chunkId: string) => Promise<boolean>
}

/** Returns how to open the passages of an answer. */
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
  // Passages of a web page are marked in the text read from it.
  const view: Record<string, string> = ['html', 'htm'].includes(extensionOf(document_name))
    ? { view: 'digitized' }
    : {}
  return isBesideChat
    ? { to: '.', search: { document: document_id, chunk, ...view } }
    : { to: `/documents/${document_id}`, search: { chunk, ...view } }
}

/** If this cannot be checked now, the document's own view reports it and retries. */
async function isThere(documentId: string, chunkId: string): Promise<boolean> {
  try {
    return !('notFound' in (await queryClient.fetchQuery(passageQuery(documentId, chunkId))))
  } catch {
    return true
  }
}

/** Returns how to open a whole document: next to the chat if there is one, otherwise its own view. */
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
