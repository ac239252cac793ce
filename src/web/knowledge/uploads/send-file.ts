import { type Document, uploadDocuments } from '#shared/knowledge/documents/documents.ts'
import {
  type Upload as BegunUpload,
  beginUpload,
  cancelUpload,
  endUpload,
  getUpload,
  PART_BYTES,
  sendPart,
} from '#shared/knowledge/documents/uploads.ts'
import { type ApiError, isApiError } from '../../platform/lib/api/api-error.ts'
import { call, callOrNotFound } from '../../platform/lib/api/call.ts'
import { holdUpload } from './held-uploads.ts'
import type { UploadTarget } from './upload.ts'
import { uploadForm } from './upload-form.ts'

const FIRST_WAIT_MS = 1000
const MAX_WAIT_MS = 30_000

/** A file that is sent in parts. */
type Parts = {
  file: File
  signal: AbortSignal
  onSent: (bytes: number) => void
  /** The connection is lost, or back. */
  onLost: (isLost: boolean) => void
}

export type Sending = Parts & {
  path: string
  target: UploadTarget
  /** An interrupted multipart upload to resume. */
  begun: string | null
  onBegun: (uploadId: string) => void
}

/**
 * Sends a file and returns its document; null if the server has it but its answer was lost. Large files are sent in parts
 * and resume after an interruption. Throws an ApiError that a retry cannot fix, and the reason of an abort.
 */
export async function sendFile(sending: Sending): Promise<Document | null> {
  if (sending.file.size <= PART_BYTES && !sending.begun) return sendWhole(sending)
  const begun = await untilReached(
    sending,
    () => true,
    () => begin(sending),
  )
  sending.onBegun(begun.id)
  return holdUpload(begun.id, () => sendInParts(sending, begun))
}

async function sendWhole(sending: Sending): Promise<Document> {
  const { file, signal } = sending
  let sent = 0
  const onSent = (bytes: number) => {
    sent = bytes
    sending.onSent(Math.min(bytes, file.size))
  }
  // Once everything was sent, its arrival is unknown, and an automatic retry could store it twice.
  const answer = await untilReached(
    sending,
    () => sent < file.size,
    async () => uploadForm(uploadDocuments, { form: wholeForm(sending), signal, onSent }),
  )
  const document = Array.isArray(answer) ? answer[0] : answer
  if (!document) throw new Error('An upload was answered without a document')
  return document
}

async function sendInParts(sending: Sending, begun: BegunUpload): Promise<Document | null> {
  const { signal } = sending
  const params = { uploadId: begun.id }
  signal.addEventListener('abort', () => void giveUp(begun.id), { once: true })
  await sendParts(sending, begun)
  return untilReached(sending, always, async (isAgain) => {
    try {
      return await call(endUpload, { params, signal })
    } catch (error) {
      // The first answer was lost, and the completed upload is a document already.
      if (isAgain && isApiError(error, 404)) return null
      throw error
    }
  })
}

const always = () => true

/** Sends what the server does not have of a file. Waits while the connection is lost. */
export async function sendParts(sending: Parts, begun: BegunUpload): Promise<void> {
  const { file, signal } = sending
  const params = { uploadId: begun.id }
  let { received } = begun
  while (received < file.size) {
    received = await untilReached(sending, always, async (isAgain) => {
      const at = isAgain ? (await call(getUpload, { params, signal })).received : received
      if (at >= file.size) return at
      const onSent = (bytes: number) => sending.onSent(Math.min(at + bytes, file.size))
      return (await uploadForm(sendPart, { params, form: partForm(file, at), signal, onSent })).received
    })
    sending.onSent(received)
  }
}

/** Returns the state of an interrupted upload if the server still has it; otherwise a new one. */
async function begin({ file, path, target, begun, signal }: Sending): Promise<BegunUpload> {
  const found = begun && (await callOrNotFound(getUpload, { params: { uploadId: begun }, signal }))
  if (found && !('notFound' in found)) return found
  return call(beginUpload, {
    body: { name: file.name, size: file.size, ...optionsOf(path, target) },
    signal,
  })
}

function optionsOf(path: string, { sessionId, workspaceId, pipeline, documentId }: UploadTarget) {
  return {
    ...(sessionId && { chat_session_id: sessionId }),
    ...(workspaceId && { workspace_id: workspaceId }),
    ...(documentId && { document_id: documentId }),
    ...(pipeline && { processing_pipeline: pipeline }),
    ...(path && { path }),
  }
}

/** The fields precede the file, because the server decides by them before it has arrived. */
function wholeForm({ file, path, target }: Sending): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(optionsOf(path, target))) form.append(name, value)
  form.append('file', file, file.name)
  return form
}

function partForm(file: File, offset: number): FormData {
  const form = new FormData()
  form.append('offset', String(offset))
  form.append('file', file.slice(offset, offset + PART_BYTES), file.name)
  return form
}

async function giveUp(uploadId: string): Promise<void> {
  await call(cancelUpload, { params: { uploadId }, quiet: true }).catch(() => null)
}

/** Retries while only the connection is the problem, with growing delays that end when it is back. */
async function untilReached<Result>(
  { signal, onLost }: Parts,
  mayRepeat: () => boolean,
  attempt: (isAgain: boolean) => Promise<Result>,
): Promise<Result> {
  for (let tries = 0; ; tries++) {
    try {
      const result = await attempt(tries > 0)
      onLost(false)
      return result
    } catch (error) {
      if (!isPassing(error) || !mayRepeat()) throw error
      onLost(true)
      await pause(waitOf(error, tries), signal)
    }
  }
}

function isPassing(error: unknown): error is ApiError {
  return isApiError(error) && [0, 429, 502, 503, 504].includes(error.status)
}

function waitOf(error: ApiError, tries: number): number {
  if (error.retryAfterSeconds !== null) return error.retryAfterSeconds * 1000
  return Math.min(FIRST_WAIT_MS * 2 ** tries, MAX_WAIT_MS)
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      window.removeEventListener('online', end)
      signal.removeEventListener('abort', end)
      if (signal.aborted) reject(signal.reason)
      else resolve()
    }
    const timer = setTimeout(end, ms)
    window.addEventListener('online', end)
    signal.addEventListener('abort', end)
  })
}
