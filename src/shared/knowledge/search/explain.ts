import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id } from '../../platform/primitives.ts'
import { SearchRequest } from './search.ts'

/** What a search does with a passage, in this order. */
export const SearchStage = z.enum(['vector', 'keyword', 'search', 'reranking'])
export type SearchStage = z.infer<typeof SearchStage>

/** Where a passage was left, or that it was not. */
export const SearchOutcome = z.enum([
  'returned',
  /** Its document is not among those that are searched. */
  'out_of_scope',
  /** The vector store does not have it. */
  'not_indexed',
  /** Neither its vector nor its words are among the best that are compared. */
  'not_found',
  /** It was found behind as many as the search gives. */
  'beyond_limit',
  'below_threshold',
  /** It was put behind as many as are kept. */
  'beyond_top',
])
export type SearchOutcome = z.infer<typeof SearchOutcome>

export const Explanation = z.object({
  chunk_id: Id,
  outcome: SearchOutcome,
  /** The reranker that was used; null where none was, or it was passed over. */
  reranker: z.nullable(z.string()),
  stages: z.array(
    z.object({
      stage: SearchStage,
      /** From 1; null where it is not among those that were looked at. */
      rank: z.nullable(z.int()),
      score: z.nullable(z.number()),
      /** So many were put in order. */
      of: z.int(),
    }),
  ),
})
export type Explanation = z.infer<typeof Explanation>

export const explainSearch = route({
  method: 'POST',
  path: '/search_and_rerank/explain',
  access: 'user',
  uses: 'tool document_search',
  fails: ['not_available', 'provider_failed', 'insufficient_balance', 'not_found'],
  summary: 'The rank and score of a passage in every stage of a search, and where it was left',
  body: z.extend(SearchRequest, { chunk_id: Id }),
  answer: Explanation,
})
