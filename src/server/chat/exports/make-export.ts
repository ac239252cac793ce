import type { Export } from '#shared/chat/exports/exports.ts'
import { AppError } from '#shared/platform/errors.ts'
import { roomLeft } from '../../knowledge/documents/documents.ts'
import type { Deps } from '../../tools/deps.ts'
import { makeArchive } from './account/make-archive.ts'
import { makeChatFile } from './make-chat.ts'
import { findExport, noteFailed, noteProgress, noteReady } from './store.ts'

/** Returns the key by which an export job is cancelled. */
export const jobKey = (id: string) => `export ${id}`

/** Interval of progress updates. */
const TELL_MS = 1_000

/** Makes an export, or stores the reason it failed. */
export async function makeExport(deps: Deps, id: string, signal: AbortSignal): Promise<void> {
  const { db, files } = deps
  const row = await findExport(db, id)
  if (row?.state !== 'making') return
  let told = Date.now()
  const onDone = async (progress: number) => {
    signal.throwIfAborted()
    if (Date.now() - told < TELL_MS) return
    told = Date.now()
    await noteProgress(db, id, { progress: Math.min(progress, 0.99) })
  }
  const onStage = async (stage: NonNullable<Export['stage']>) => {
    signal.throwIfAborted()
    if (Date.now() - told < TELL_MS) return
    told = Date.now()
    const before = ['chats', 'documents', 'files'].indexOf(stage.what)
    await noteProgress(db, id, { progress: (before + stage.done / stage.of) / 3.1, stage })
  }
  try {
    const content =
      row.kind === 'account'
        ? makeArchive(deps, row, { onStage, signal })
        : await makeChatFile(deps, row, { onDone, signal })
    if (!content) return
    const maxBytes = Math.max(1, roomLeft(deps.config))
    const { key, size } = await files.write(`exports/${id}/file`, content, { maxBytes })
    if (!(await noteReady(db, id, { file_key: key, size }))) await files.remove(key)
  } catch (error) {
    // The process is stopping or the export was cancelled: it is retried or dropped.
    if (signal.aborted) throw error
    if (!(error instanceof AppError))
      deps.log.error({ error, export: id }, 'Something could not be taken out.')
    await noteFailed(db, id, error instanceof AppError ? error.detail : 'It could not be made. Try again.')
  }
}
