import type { Document, Pipeline } from '#shared/knowledge/documents/documents.ts'
import type { ApiError } from '../../platform/lib/api/api-error.ts'

/** Where files go. */
export type UploadTarget = {
  sessionId?: string
  workspaceId?: string
  pipeline?: Pipeline
  /** The document whose file it replaces. */
  documentId?: string
}

/** A file and the folder it came from, with slashes; empty without one. */
export type FoundFile = { file: File; path: string }

/**
 * A file on its way. `lost`: the connection is gone, it goes on by itself. `failed`: it was refused, or nobody knows how much
 * came; a person may try again.
 */
export type Upload = {
  id: string
  file: File
  path: string
  target: UploadTarget
  state: 'waiting' | 'sending' | 'lost' | 'done' | 'failed'
  /** What the server has it under, once it comes in parts: it can go on there. */
  begun: string | null
  /** Bytes that have left. */
  sent: number
  error: ApiError | null
  /** What became of it. */
  document: Document | null
}

export const isUnderWay = ({ state }: Upload) =>
  state === 'waiting' || state === 'sending' || state === 'lost'
