import * as z from 'zod/mini'
import { Place } from '../place.ts'
import { Id } from '../primitives.ts'

/** Where a cited passage stands; its id is that of its chunk. */
export const PassagePlace = z.object({
  document_id: Id,
  document_name: z.string(),
  heading_path: z.array(z.string()),
  /** From 1; null where there are no pages. */
  page_number: z.nullable(z.int()),
  place: Place,
})
export type PassagePlace = z.infer<typeof PassagePlace>

/**
 * A passage that was found for a question, without its words: what is kept with a message must not outlive the right to read the document.
 * They are asked for when they are shown (`shared/knowledge/rag/passage-words.ts`).
 */
export const FoundPassage = z.extend(PassagePlace, {
  chunk_id: Id,
  /** Its place among those a model was given, from 1; null when it was found and not given. */
  rank: z.nullable(z.int()),
  /** The answer cites it. */
  used_in_response: z.boolean(),
})
export type FoundPassage = z.infer<typeof FoundPassage>
