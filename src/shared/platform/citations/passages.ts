import * as z from 'zod/mini'
import { Place } from '../place.ts'
import { Id } from '../primitives.ts'

/** Location of a cited passage; its id is the chunk id. */
export const PassagePlace = z.object({
  document_id: Id,
  document_name: z.string(),
  heading_path: z.array(z.string()),
  /** From 1; null for documents without pages. */
  page_number: z.nullable(z.int()),
  place: Place,
})
export type PassagePlace = z.infer<typeof PassagePlace>

/**
 * A passage found for a question, without its text: stored messages must not outlive the right to read the document.
 * The text is read on display (`shared/knowledge/rag/passage-words.ts`).
 */
export const FoundPassage = z.extend(PassagePlace, {
  chunk_id: Id,
  /** Position among the passages given to the model, from 1; null when it was found but not given. */
  rank: z.nullable(z.int()),
  /** True when the answer cites it. */
  used_in_response: z.boolean(),
})
export type FoundPassage = z.infer<typeof FoundPassage>

/** A query of a company database whose figures a text cites. The source's id is the execution that has its rows. */
export const CitedQuery = z.object({
  database: z.string(),
  sql: z.string(),
  read_at: z.string(),
  /** Number of rows it returned. */
  rows: z.int(),
})
export type CitedQuery = z.infer<typeof CitedQuery>
