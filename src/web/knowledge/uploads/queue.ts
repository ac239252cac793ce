import { create } from 'zustand'
import type { MessageFile } from '#shared/chat/messages/message-files.ts'
import type { Document } from '#shared/knowledge/documents/documents.ts'
import type { Upload as BegunUpload } from '#shared/knowledge/documents/uploads.ts'
import { ApiError, isApiError } from '../../platform/lib/api/api-error.ts'
import { queryClient } from '../../platform/lib/api/query-client.ts'
import { getToken, subscribeToken } from '../../platform/lib/me/token.ts'
import { useUploadState } from '../../platform/lib/uploads/upload-state.ts'
import { sendFile } from './send-file.ts'
import { type FoundFile, isBeingRead, isUnderWay, type Upload, type UploadTarget } from './upload.ts'

/** Concurrent uploads. */
export const AT_ONCE = 3
/** Interval of progress updates. */
const DRAW_MS = 100

/** All uploads since the list was last closed, in order. */
export const useUploads = create<{ items: readonly Upload[]; since: number }>(() => ({ items: [], since: 0 }))

const cancels = new Map<string, AbortController>()
let count = 0

/** Queues files. `limit`: maximum bytes per file, null if unknown. Returns the ids of their uploads. */
export function addFiles(
  files: readonly FoundFile[],
  target: UploadTarget,
  limit: number | null = null,
): string[] {
  const added = files.map(({ file, path }): Upload => {
    const refusal = refuse(file, limit)
    return {
      ...{ id: `upload-${++count}`, file, path, target, begun: null, sent: 0, document: null },
      ...{ state: refusal ? 'failed' : 'waiting', error: refusal },
    }
  })
  return add(added)
}

/** Adds documents that came another way to the next message of a chat. */
export function addStored(documents: readonly Document[], sessionId: string): void {
  const added = documents.map(
    (document): Upload => ({
      ...{ id: `upload-${++count}`, file: new File([], document.name), path: '', target: { sessionId } },
      ...{ begun: null, sent: 0, document, state: 'done', error: null },
    }),
  )
  useUploads.setState(({ items }) => ({ items: [...items, ...added] }))
  tellChats()
  showArrival({ sessionId })
}

/** Resumes an interrupted upload with the same file. */
export function continueUpload({ id: begun, received: sent }: BegunUpload, file: File): void {
  const found = { id: `upload-${++count}`, file, path: '', target: {}, begun, sent }
  add([{ ...found, document: null, state: 'waiting', error: null }])
}

function add(added: readonly Upload[]): string[] {
  const { items, since } = useUploads.getState()
  useUploads.setState({
    items: [...items, ...added],
    since: items.some(isUnderWay) ? since : Date.now(),
  })
  if (added.length > 0) useUploadState.setState({ isShown: true })
  tellChats()
  pump()
  return added.map(({ id }) => id)
}

/** Cancels an upload and removes it from the list, and from the server. */
export function cancelFile(id: string): void {
  cancels.get(id)?.abort(new DOMException('Cancelled', 'AbortError'))
  useUploads.setState(({ items }) => ({ items: items.filter((item) => item.id !== id) }))
  tellChats()
  pump()
}

/** Notes how far a file that has arrived is read. */
export function noteReading(document: Document): void {
  const found = useUploads.getState().items.find((item) => item.document?.id === document.id)
  if (!found || found.document === document) return
  patch(found.id, { document })
  tellChats()
}

/** Retries a failed file. */
export function retryFile(id: string): void {
  patch(id, { state: 'waiting', sent: 0, error: null })
  tellChats()
  pump()
}

/** Closes the list and removes finished uploads. Active ones, and those a chat waits for, continue and show again with the next file. */
export function closeUploads(): void {
  const isNeeded = (item: Upload) => isUnderWay(item) || (isBeingRead(item) && item.target.sessionId)
  useUploads.setState(({ items }) => ({ items: items.filter(isNeeded) }))
  useUploadState.setState({ isShown: false })
  tellChats()
}

/** Cancels everything. */
export function cancelAll(): void {
  for (const { id } of useUploads.getState().items.filter(isUnderWay)) cancelFile(id)
}

/** Returns whether a retry may help; a file that is too large stays too large. */
export function mayRetry({ state, error }: Upload): boolean {
  return state === 'failed' && error?.code !== 'too_large' && error?.code !== 'invalid'
}

function refuse(file: File, limit: number | null): ApiError | null {
  if (file.size === 0) return new ApiError(422, 'invalid', 'The file is empty.')
  if (limit !== null && file.size > limit)
    return new ApiError(413, 'too_large', `The limit is ${limit} bytes.`)
  return null
}

function pump(): void {
  const { items } = useUploads.getState()
  const room = AT_ONCE - cancels.size
  for (const item of items.filter(({ state }) => state === 'waiting').slice(0, Math.max(0, room)))
    void run(item)
}

async function run({ id, file, path, target, begun }: Upload): Promise<void> {
  const cancel = new AbortController()
  cancels.set(id, cancel)
  patch(id, { state: 'sending' })
  try {
    const document = await sendFile({
      ...{ file, path, target, begun, signal: cancel.signal },
      onBegun: (begun) => patch(id, { begun }),
      onSent: throttle((sent) => patch(id, { sent, state: 'sending' })),
      onLost: (isLost) => patch(id, { state: isLost ? 'lost' : 'sending' }),
    })
    patch(id, { state: 'done', sent: file.size, document, error: null })
    showArrival(target)
  } catch (error) {
    if (!cancel.signal.aborted) patch(id, { state: 'failed', error: asApiError(error) })
  } finally {
    cancels.delete(id)
    tellChats()
    pump()
  }
}

function asApiError(error: unknown): ApiError {
  return isApiError(error) ? error : new ApiError(0, 'unknown', String(error))
}

function patch(id: string, change: Partial<Upload>): void {
  useUploads.setState(({ items }) => ({
    items: items.map((item) => (item.id === id ? { ...item, ...change } : item)),
  }))
}

/** Chats with arrived files that have not been refetched; null if there are none. */
let arrivals: Set<string> | null = null

/** Refetches lists, once for all files that arrive within a moment. */
function showArrival({ sessionId }: UploadTarget): void {
  if (!arrivals) setTimeout(readArrivals, DRAW_MS * 3)
  arrivals ??= new Set()
  if (sessionId) arrivals.add(sessionId)
}

function readArrivals(): void {
  const sessions = [...(arrivals ?? [])].map((id) => ['session', id])
  arrivals = null
  for (const queryKey of [['documents'], ['workspaces'], ...sessions])
    void queryClient.invalidateQueries({ queryKey })
}

/** Publishes which chats have active uploads, and which files go with their next messages. */
function tellChats(): void {
  const chats: Record<string, 'sending' | 'reading' | 'failed'> = {}
  const files: Record<string, MessageFile[]> = {}
  for (const item of useUploads.getState().items) {
    const { sessionId } = item.target
    if (!sessionId) continue
    if (item.document) files[sessionId] = [...(files[sessionId] ?? []), asFile(item.document)]
    if (isUnderWay(item)) chats[sessionId] = 'sending'
    else if (isBeingRead(item) && chats[sessionId] !== 'sending') chats[sessionId] = 'reading'
    else if (hasFailed(item)) chats[sessionId] ??= 'failed'
  }
  useUploadState.setState({ chats, files })
}

const asFile = ({ id, name }: Document): MessageFile => ({ document_id: id, name })
const hasFailed = ({ state, document }: Upload) => state === 'failed' || document?.status === 'failed'

/** Limits the frequency of calls; the end is reported otherwise. */
function throttle(act: (sent: number) => void): (sent: number) => void {
  let last = 0
  return (sent) => {
    if (Date.now() - last < DRAW_MS) return
    last = Date.now()
    act(sent)
  }
}

subscribeToken(() => {
  if (getToken() !== null) return
  cancelAll()
  closeUploads()
})

window.addEventListener('beforeunload', (event) => {
  // Active uploads end with the page.
  if (useUploads.getState().items.some(isUnderWay)) event.preventDefault()
})
