import type { Document, Pipeline } from '#shared/knowledge/documents/documents.ts'
import type { ApiError } from '../../platform/lib/api/api-error.ts'

/** Destination of files. */
export type UploadTarget = {
  sessionId?: string
  workspaceId?: string
  pipeline?: Pipeline
  /** The document whose file is replaced. */
  documentId?: string
}

/** A file and its original folder path with slashes; empty without one. */
export type FoundFile = { file: File; path: string }

/**
 * An upload. `lost`: the connection is lost, and it resumes by itself. `failed`: it was refused, or its outcome is unknown;
 * a person may retry.
 */
export type Upload = {
  id: string
  file: File
  path: string
  target: UploadTarget
  state: 'waiting' | 'sending' | 'lost' | 'done' | 'failed'
  /** Server id of a multipart upload, from which it can resume. */
  begun: string | null
  /** Bytes sent. */
  sent: number
  error: ApiError | null
  /** The resulting document. */
  document: Document | null
}

export const isUnderWay = ({ state }: Upload) =>
  state === 'waiting' || state === 'sending' || state === 'lost'

/** Returns whether a file has arrived and is being read. */
export const isBeingRead = ({ state, document }: Upload) =>
  state === 'done' && (document?.status === 'queued' || document?.status === 'in_progress')
