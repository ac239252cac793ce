import * as z from 'zod/mini'
import { MAX_MODEL_NAME } from '../../models/connections/model-name.ts'
import { route } from '../../platform/http.ts'
import { Place } from '../../platform/place.ts'
import { Id, text, trimmed } from '../../platform/primitives.ts'

export const JoinStrategy = z.enum(['minimum', 'maximum', 'average', 'relative_score', 'manual_weights'])
export type JoinStrategy = z.infer<typeof JoinStrategy>

/** Collection of the library's passages. */
export const LIBRARY_COLLECTION = 'Documents'
export const DEFAULT_RERANKER = 'bge_text_reranker'

const share = z.number().check(z.gte(0), z.lte(1))
const whole = (min: number, max: number, fallback: number) =>
  z._default(z.int().check(z.gte(min), z.lte(max)), fallback)

/**
 * Requires one property to equal a value. `document_id`, `file_name` and `file_type` are those of documents; `connector_id`, `source_owner`,
 * `source_path` and `source_label` are those of items that connectors read. `changed_at` and `created_at`, their times in the source,
 * take `from` and `to`.
 */
export const SearchFilter = z.object({
  property: text(1, 100),
  operator: z.enum(['equal', 'from', 'to']),
  value: z.union([text(0, 500), z.number()]),
})
export type SearchFilter = z.infer<typeof SearchFilter>

export const SearchRequest = z.object({
  query: trimmed(1, 4_000),
  collection_name: z._default(trimmed(1, 100), LIBRARY_COLLECTION),
  limit: whole(1, 100, 20),
  offset: whole(0, 10_000, 0),
  target_vectors: z.optional(z.array(text(1, 100)).check(z.maxLength(10))),
  filters: z.optional(z.array(SearchFilter).check(z.maxLength(20))),
  use_bm25: z._default(z.boolean(), false),
  hybrid_search: z._default(z.boolean(), true),
  /** Weight of the vectors, 0 to 1. */
  hybrid_alpha: z._default(share, 0.5),
  join_strategy: z._default(JoinStrategy, 'minimum'),
  /** Weights by target, for `relative_score` and `manual_weights`. */
  target_weights: z.optional(z.array(z.number().check(z.gte(0), z.lte(1000))).check(z.maxLength(10))),
  reranker_name: z.nullish(text(1, MAX_MODEL_NAME)),
  top_n: whole(1, 50, 5),
  reranker_parameters: z.optional(z.object({ threshold: z.optional(share) })),
  chat_session_id: z.optional(Id),
  workspace_ids: z.optional(z.array(Id).check(z.maxLength(50))),
})
export type SearchRequest = z.infer<typeof SearchRequest>

/** A found passage with its scores from each stage. */
export const SearchObject = z.object({
  id: Id,
  score: z.number(),
  distance: z.nullable(z.number()),
  certainty: z.nullable(z.number()),
  keyword_score: z.nullable(z.number()),
  rerank_score: z.nullable(z.number()),
  /** Rank before reranking, from 1. */
  found_rank: z.int(),
  content: z.string(),
  properties: z.object({
    document_id: Id,
    file_name: z.string(),
    file_type: z.nullable(z.string()),
    chunk_type: z.string(),
    title: z.string(),
    text: z.string(),
    page_number: z.nullable(z.int()),
    heading_path: z.array(z.string()),
    place: Place,
  }),
})
export type SearchObject = z.infer<typeof SearchObject>

/** Reason a reranker was skipped; `detail` describes it. */
export const SkippedBecause = z.enum(['late', 'unpaid', 'refused', 'failed'])
export type SkippedBecause = z.infer<typeof SkippedBecause>

export const SearchAnswer = z.object({
  objects: z.array(SearchObject),
  search_type: z.enum(['vector', 'keyword', 'hybrid']),
  /** Number of searched documents. */
  documents: z.int(),
  reranking: z.object({
    /** `skipped`: the reranker failed or timed out, and the objects are in search order. */
    status: z.enum(['done', 'off', 'skipped']),
    reranker: z.nullable(z.string()),
    /** Reason it was skipped or replaced, in one sentence. */
    detail: z.nullable(z.string()),
    skipped_because: z.nullable(SkippedBecause),
    /** The requested reranker that is not installed, when another one was used. */
    instead_of: z.nullable(z.string()),
    original_count: z.int(),
    reranked_count: z.int(),
  }),
})
export type SearchAnswer = z.infer<typeof SearchAnswer>

export const searchAndRerank = route({
  method: 'POST',
  path: '/search_and_rerank/search_and_rerank',
  afterTerms: true,
  access: 'user',
  uses: 'tool document_search',
  fails: ['not_available', 'class_refused', 'provider_failed', 'insufficient_balance', 'not_found'],
  scope: 'documents.read',
  summary: 'Passages of the library that fit a question, of what the caller may see',
  body: SearchRequest,
  answer: SearchAnswer,
})

export const VectorField = z.object({
  name: z.string(),
  model: z.nullable(z.string()),
  dimensions: z.int(),
  is_multi_vector: z.boolean(),
})

export const getVectorInfo = route({
  method: 'GET',
  path: '/search/vector-info/:collection',
  access: 'user',
  may: null,
  summary: 'The vectors of a collection',
  params: z.object({ collection: trimmed(1, 100) }),
  answer: z.object({ vector_fields: z.array(VectorField), is_multi_vector: z.boolean() }),
})

const RerankerInfo = z.object({ name: z.string(), description: z.string() })

export const listRerankers = route({
  method: 'GET',
  path: '/reranking/rerankers',
  access: 'user',
  scope: 'documents.read',
  summary: 'Rerankers that can be used now',
  pages: 1_000,
  answer: z.object({ rerankers: z.array(RerankerInfo) }),
})

export const listAvailableRerankers = route({
  method: 'GET',
  path: '/reranking/available',
  access: 'user',
  scope: 'documents.read',
  summary: 'The same, under its other name',
  pages: 1_000,
  answer: z.object({ rerankers: z.array(RerankerInfo) }),
})
