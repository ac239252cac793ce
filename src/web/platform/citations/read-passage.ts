import { getDocumentChunk } from '#shared/knowledge/documents/documents.ts'
import { callOrNotFound } from '../lib/api/call.ts'

/** Reads a passage of a document with the reader's current access. */
export function readPassage(documentId: string, chunkId: string, signal: AbortSignal) {
  return callOrNotFound(getDocumentChunk, { params: { documentId, chunkId }, signal })
}
