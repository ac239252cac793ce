import type { RagAnswer, RagPhase } from '#shared/knowledge/rag/rag.ts'
import type { RagEvent } from '#shared/knowledge/rag/rag-events.ts'

/** An answer as far as it has come. */
export type RagProgress = {
  status: 'idle' | 'loading' | 'results' | 'error'
  /** What is under way. */
  phase: RagPhase
  found: Pick<RagAnswer, 'search_results' | 'reranking_results'> | null
  text: string
  answer: RagAnswer | null
  /** What went wrong, as the server said it; empty where it said nothing. */
  error: { code: string; detail: string }
}

export const idle: RagProgress = {
  ...{ status: 'idle', phase: 'SEARCH_PREPARATION', found: null, text: '', answer: null },
  error: { code: '', detail: '' },
}

/** What an event makes of an answer. */
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
