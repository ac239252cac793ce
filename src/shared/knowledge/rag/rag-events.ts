import * as z from 'zod/mini'
import { RagAnswer, RagPhase } from './rag.ts'

/** What the stream of `POST /rag/generate` says, in this order; it ends with `rag_answered` or `rag_failed`. */
export const RagEvent = z.discriminatedUnion('event', [
  z.object({ event: z.literal('rag_phase_started'), phase: RagPhase }),
  /** What was found and put in order, before a model is asked. */
  z.extend(z.pick(RagAnswer, { search_results: true, reranking_results: true }), {
    event: z.literal('rag_passages_found'),
  }),
  /** More of the answer, as it is shown. */
  z.object({ event: z.literal('rag_text_written'), text: z.string() }),
  z.object({ event: z.literal('rag_answered'), answer: RagAnswer }),
  z.object({ event: z.literal('rag_failed'), code: z.string(), detail: z.string() }),
])
export type RagEvent = z.infer<typeof RagEvent>
