import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type Document, readDocumentFile, THUMBNAIL } from '#shared/knowledge/documents/documents.ts'
import { readBlob } from '../../../platform/lib/api/call.ts'

/** Delay in milliseconds before a card requests its picture, so that scrolling past requests nothing. */
const REST_MS = 120
/** Cache time of pictures out of view. */
const CACHE_MS = 60_000

/** Returns the address of a document's thumbnail; null until it is loaded. */
export function usePicture(
  { id, version }: Pick<Document, 'id' | 'version'>,
  isThere: boolean,
): string | null {
  const { data } = useQuery({
    queryKey: ['thumbnail', id, version],
    queryFn: async ({ signal }) => {
      await rest(signal)
      return readBlob(readDocumentFile, { params: { documentId: id, name: THUMBNAIL }, signal })
    },
    enabled: isThere,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: CACHE_MS,
    retry: false,
  })
  return useAddress(data)
}

/** Returns an object URL for bytes while they are shown. */
function useAddress(bytes: Blob | undefined): string | null {
  const [address, setAddress] = useState<string | null>(null)
  useEffect(() => {
    if (!bytes) return
    const made = URL.createObjectURL(bytes)
    setAddress(made)
    return () => {
      setAddress(null)
      URL.revokeObjectURL(made)
    }
  }, [bytes])
  return address
}

function rest(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, REST_MS)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })
}
