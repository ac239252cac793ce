import { getDocumentChunk } from '#shared/knowledge/documents/documents.ts'
import { callOrNotFound } from '../lib/api/call.ts'

/** A passage of a document as its reader may see it now. */
export function readPassage(documentId: string, chunkId: string, signal: AbortSignal) {
  return callOrNotFound(getDocumentChunk, { params: { documentId, chunkId }, signal })
}
