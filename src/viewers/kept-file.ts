import { useQuery } from '@tanstack/react-query'
import { type Document, readDocumentFile } from '#shared/knowledge/documents/documents.ts'
import { readBlob } from '../web/platform/lib/api/call.ts'

type Versioned = Pick<Document, 'id' | 'version'>

/** Returns the query for a viewer file. The file never changes within a version. */
export function keptFile<File>({ id, version }: Versioned, name: string) {
  return {
    queryKey: ['document-file', id, version, name],
    queryFn: async ({ signal }: { signal: AbortSignal }) => {
      const bytes = await readBlob(readDocumentFile, {
        params: { documentId: id, name },
        query: { version },
        signal,
      })
      return JSON.parse(await bytes.text()) as File
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  }
}

export function useKeptFile<File>(document: Versioned, name: string) {
  return useQuery(keptFile<File>(document, name))
}
