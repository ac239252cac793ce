import { useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import {
  type Document,
  type DocumentPart,
  getDocument,
  getDocumentChunk,
  listElements,
  readDocumentContent,
  readDocumentFile,
} from '#shared/knowledge/documents/documents.ts'
import { openPlayback } from '#shared/knowledge/documents/playback.ts'
import { type Answer, call, callOrNotFound, orNotFound, readBlob } from '../../platform/lib/api/call.ts'
import { queryClient } from '../../platform/lib/api/query-client.ts'

const POLL_MS = 5_000

/** A document or one of its versions, polled every 5 s until it is completed or failed. */
export function useDocument(documentId: string, version?: number) {
  return useQuery({
    queryKey: [`document:${documentId}`, ...(version ? [version] : [])],
    queryFn: ({ signal }) =>
      callOrNotFound(getDocument, { params: { documentId }, query: { version }, signal }),
    refetchInterval: ({ state: { data } }) =>
      data && !('notFound' in data) && !isOver(data) ? POLL_MS : false,
  })
}

export const isOver = ({ status }: Pick<Document, 'status'>) => status === 'completed' || status === 'failed'

/** Refetches a document, but not its immutable content. */
export function readDocumentAgain(documentId: string): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: [`document:${documentId}`] })
}

// The content of a version never changes, so it is cached separately from the document, which is refetched.

/** The bytes for a viewer, loaded once per version. */
export function useContent(documentId: string, version: number) {
  return useQuery({
    queryKey: ['document-file', documentId, version, 'content'],
    queryFn: ({ signal }) =>
      readBlob(readDocumentContent, { params: { documentId }, query: { version }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  })
}

/** The media address of a version; requested again when no player uses it. */
export function usePlayback(documentId: string, version: number) {
  return useQuery({
    queryKey: ['document-file', documentId, version, 'playback'],
    queryFn: ({ signal }) => call(openPlayback, { params: { documentId }, body: { version }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
}

/** A text file generated for the viewers. */
export function useFileText({ id, version }: Pick<Document, 'id' | 'version'>, name: string) {
  return useQuery({
    queryKey: ['document-file', id, version, name],
    queryFn: async ({ signal }) =>
      (
        await readBlob(readDocumentFile, { params: { documentId: id, name }, query: { version }, signal })
      ).text(),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  })
}

const firstParts = { from: 1, to: 20 }
const noParts: DocumentPart[] = []

/** The parts of the pages near the screen; only of the newest version. */
export function usePartsOnScreen({ id, version: newest, status, doc_metadata }: Document, version: number) {
  const [span, setSpan] = useState(firstParts)
  const { data } = useQuery({
    queryKey: ['document-file', id, version, 'elements', span.from, span.to],
    queryFn: ({ signal }) =>
      call(listElements, { params: { documentId: id }, query: { ...span, version }, signal }),
    enabled: version === newest && (status === 'completed' || doc_metadata.files.length > 0),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const onPages = useCallback(
    (from: number, to: number) =>
      setSpan((now) =>
        from < now.from || to > now.to ? { from: Math.max(1, from - 10), to: from + 20 } : now,
      ),
    [],
  )
  return { parts: data?.parts ?? noParts, onPages }
}

/** The chunk in the address; null without one. */
export function useChunk(documentId: string, chunkId: string | null) {
  return useQuery({
    queryKey: ['document-chunk', documentId, chunkId],
    queryFn: ({ signal }) =>
      orNotFound(getDocumentChunk, readChunk({ documentId, chunkId: chunkId ?? '' }, signal)),
    enabled: chunkId !== null,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

async function readChunk(
  params: { documentId: string; chunkId: string },
  signal: AbortSignal,
): Promise<Answer<typeof getDocumentChunk>> {
  return JSON.parse(await (await readBlob(getDocumentChunk, { params, signal })).text())
}
