import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id } from '../../platform/primitives.ts'
import { SearchRequest } from './search.ts'

/** Stages of a search, in order. */
export const SearchStage = z.enum(['vector', 'keyword', 'search', 'reranking'])
export type SearchStage = z.infer<typeof SearchStage>

/** Stage at which a passage was dropped, or that it was found. */
export const SearchOutcome = z.enum([
  'returned',
  /** Its document is not in the scope of the search. */
  'out_of_scope',
  /** The vector store does not contain it. */
  'not_indexed',
  /** Neither its vector nor its words are among the best candidates. */
  'not_found',
  /** It ranked below the limit of the search. */
  'beyond_limit',
  'below_threshold',
  /** It ranked below the limit of the reranker. */
  'beyond_top',
])
export type SearchOutcome = z.infer<typeof SearchOutcome>

export const Explanation = z.object({
  chunk_id: Id,
  outcome: SearchOutcome,
  /** The reranker in use; null when there was none or it was skipped. */
  reranker: z.nullable(z.string()),
  stages: z.array(
    z.object({
      stage: SearchStage,
      /** From 1; null when it was not among the candidates. */
      rank: z.nullable(z.int()),
      score: z.nullable(z.number()),
      /** Number of ranked passages. */
      of: z.int(),
    }),
  ),
})
export type Explanation = z.infer<typeof Explanation>

export const explainSearch = route({
  method: 'POST',
  path: '/search_and_rerank/explain',
  afterTerms: true,
  access: 'user',
  uses: 'tool document_search',
  fails: ['not_available', 'class_refused', 'provider_failed', 'insufficient_balance', 'not_found'],
  summary: 'The rank and score of a passage in every stage of a search, and where it was left',
  body: z.extend(SearchRequest, { chunk_id: Id }),
  answer: Explanation,
})
