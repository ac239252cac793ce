import * as z from 'zod/mini'
import { RagAnswer, RagPhase } from './rag.ts'

/** Events of the stream of `POST /rag/generate`, in order; it ends with `rag_answered` or `rag_failed`. */
export const RagEvent = z.discriminatedUnion('event', [
  z.object({ event: z.literal('rag_phase_started'), phase: RagPhase }),
  /** Search and reranking results, sent before the model is called. */
  z.extend(z.pick(RagAnswer, { search_results: true, reranking_results: true }), {
    event: z.literal('rag_passages_found'),
  }),
  /** A piece of the answer, as displayed. */
  z.object({ event: z.literal('rag_text_written'), text: z.string() }),
  z.object({ event: z.literal('rag_answered'), answer: RagAnswer }),
  z.object({ event: z.literal('rag_failed'), code: z.string(), detail: z.string() }),
])
export type RagEvent = z.infer<typeof RagEvent>
