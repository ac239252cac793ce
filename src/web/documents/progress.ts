import type { Document, DocumentPhase } from '#shared/documents/documents.ts'

type State = Pick<Document, 'status' | 'current_phase'>
/** Statuses of the library; `uploading`, `processing` and `parsing` are what other servers of this interface say. */
export type LibraryStatus = Document['status'] | 'uploading' | 'processing' | 'parsing'

const byPhase: Record<DocumentPhase, number> = {
  UPLOAD: 0,
  PARSING: 25,
  CHUNKING_ENRICHMENT: 50,
  EMBEDDING: 75,
}
const byStatus = { uploading: 20, queued: 40, processing: 60, parsing: 80, completed: 100, failed: 0 }
export const phases: DocumentPhase[] = ['UPLOAD', 'PARSING', 'CHUNKING_ENRICHMENT', 'EMBEDDING']

/** How far a chip says a document is, in percent: a document at work by its phase. */
export function chipProgress(status: LibraryStatus, phase: DocumentPhase | null): number {
  if (status === 'completed') return 100
  if (status === 'processing' || status === 'in_progress') return phase === null ? 0 : byPhase[phase]
  return 0
}

/** How far the library says a document is, in percent. */
export function libraryProgress(status: LibraryStatus, phase: DocumentPhase | null): number {
  return status === 'in_progress' ? chipProgress(status, phase) : byStatus[status]
}

/** Phases that are over, and how much of the one under way, 0 to 1. */
export function phaseShare({ status, current_phase, progress }: Pick<Document, 'progress'> & State) {
  if (status === 'completed') return { done: 4, share: 0 }
  const done = status === 'queued' ? 1 : Math.max(0, phases.indexOf(current_phase ?? 'UPLOAD'))
  return { done, share: progress && progress.total > 0 ? Math.min(1, progress.done / progress.total) : 0 }
}

/** Nothing more happens to it by itself. */
export const isOver = ({ status }: State) => status === 'completed' || status === 'failed'
