import type { RagAnswer, RagPhase } from '#shared/knowledge/rag/rag.ts'
import type { RagEvent } from '#shared/knowledge/rag/rag-events.ts'

/** Progress of an answer. */
export type RagProgress = {
  status: 'idle' | 'loading' | 'results' | 'error'
  /** The current phase. */
  phase: RagPhase
  found: Pick<RagAnswer, 'search_results' | 'reranking_results'> | null
  text: string
  answer: RagAnswer | null
  /** The server's error; empty if it gave none. */
  error: { code: string; detail: string }
}

export const idle: RagProgress = {
  ...{ status: 'idle', phase: 'SEARCH_PREPARATION', found: null, text: '', answer: null },
  error: { code: '', detail: '' },
}

/** Applies an event to an answer. */
export function foldRagEvent(progress: RagProgress, event: RagEvent): RagProgress {
  switch (event.event) {
    case 'rag_phase_started':
      return { ...progress, phase: event.phase }
    case 'rag_passages_found': {
      const { search_results, reranking_results } = event
      return { ...progress, found: { search_results, reranking_results } }
    }
    case 'rag_text_written':
      return { ...progress, text: progress.text + event.text }
    case 'rag_answered':
      return { ...progress, status: 'results', answer: event.answer, found: event.answer }
    case 'rag_failed':
      return { ...progress, status: 'error', error: { code: event.code, detail: event.detail } }
    default:
      return event satisfies never
  }
}
