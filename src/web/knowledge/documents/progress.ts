import { chipProgress, documentPhases } from '#shared/knowledge/documents/chip-progress.ts'
import type { Document, DocumentPhase } from '#shared/knowledge/documents/documents.ts'

type State = Pick<Document, 'status' | 'current_phase'>
/** Statuses of the library; `uploading`, `processing` and `parsing` come from other servers of this interface. */
export type LibraryStatus = Document['status'] | 'uploading' | 'processing' | 'parsing'

const byStatus = { uploading: 20, queued: 40, processing: 60, parsing: 80, completed: 100, failed: 0 }

/** Returns a document's progress in the library, in percent. */
export function libraryProgress(status: LibraryStatus, phase: DocumentPhase | null): number {
  return status === 'in_progress' ? chipProgress(status, phase) : byStatus[status]
}

/** Returns the completed phases, and the share of the current one, from 0 to 1. */
export function phaseShare({ status, current_phase, progress }: Pick<Document, 'progress'> & State) {
  if (status === 'completed') return { done: 4, share: 0 }
  const done = status === 'queued' ? 1 : Math.max(0, documentPhases.indexOf(current_phase ?? 'UPLOAD'))
  return { done, share: progress && progress.total > 0 ? Math.min(1, progress.done / progress.total) : 0 }
}

/** Returns whether its processing has ended. */
export const isOver = ({ status }: State) => status === 'completed' || status === 'failed'
