import * as z from 'zod/mini'
import { MAX_MODEL_NAME } from '../../models/connections/model-name.ts'
import { Doubt } from '../../platform/citations/doubts.ts'
import { FoundPassage, PassagePlace } from '../../platform/citations/passages.ts'
import { route } from '../../platform/http.ts'
import { Id, text, trimmed } from '../../platform/primitives.ts'
import { Coverage } from '../corpus/corpus.ts'
import { LeftOut } from '../documents/named-documents.ts'
import { LIBRARY_COLLECTION, SearchFilter, SkippedBecause } from '../search/search.ts'

/** Phases of a question on documents, in order (ledger DS-06). */
export const RagPhase = z.enum(['SEARCH_PREPARATION', 'RETRIEVAL', 'RERANKING', 'GENERATION'])
export type RagPhase = z.infer<typeof RagPhase>

export const PhaseStatus = z.enum(['pending', 'started', 'completed'])
export type PhaseStatus = z.infer<typeof PhaseStatus>

const share = z.number().check(z.gte(0), z.lte(1))

/** A question on the library (ledger RG-01, RG-03, RG-04). */
export const RagRequest = z.object({
  query: trimmed(0, 4_000),
  collection_name: z._default(trimmed(0, 100), LIBRARY_COLLECTION),
  /** Number of passages from the search. */
  limit: z._default(z.int().check(z.gte(1), z.lte(50)), 10),
  hybrid_search: z._default(z.boolean(), true),
  /** Weight of the vectors in a hybrid search. */
  hybrid_alpha: z._default(share, 0.5),
  reranker_name: z.nullish(text(1, MAX_MODEL_NAME)),
  /** Number of passages given to the model. */
  top_n: z._default(z.int().check(z.gte(1), z.lte(20)), 5),
  /** Model name within `provider`, or a full model id. */
  provider: z.optional(text(1, 100)),
  model: z.optional(text(1, MAX_MODEL_NAME)),
  temperature: z._default(share, 0),
  use_json_output: z._default(z.boolean(), false),
  filters: z.optional(z.array(SearchFilter).check(z.maxLength(20))),
  chat_session_id: z.optional(Id),
  workspace_ids: z.optional(z.array(Id).check(z.maxLength(50))),
})
export type RagRequest = z.infer<typeof RagRequest>

const seconds = z.object({ total_seconds: z.number() })

/** Result of each stage of the pipeline (ledger RG-07). */
export const RagAnswer = z.object({
  /** Contains a citation tag for each cited passage (`citations/citation-tags.ts`), numbered by first appearance. */
  answer: z.string(),
  /** False when the documents do not answer the question, and the answer says so. */
  is_answered: z.boolean(),
  /** Cited passages by chunk id. */
  citations: z.record(z.string(), z.object({ document_id: Id, text: z.string() })),
  /** The same passages, in the order of their numbers. */
  processed_citations: z.array(
    z.object({ number: z.int(), chunk_id: Id, document_id: Id, text: z.string() }),
  ),
  sources: z.array(
    z.extend(PassagePlace, {
      ...{ chunk_id: Id, text: z.string(), title: z.string(), score: z.number() },
      rerank_score: z.nullable(z.number()),
      /** Rank among the passages given to the model, from 1. */
      rank: z.int(),
      used_in_response: z.boolean(),
    }),
  ),
  doubts: z.array(Doubt),
  /** The full prompt. */
  prompt: z.string(),
  search_results: z.object({
    search_type: z.enum(['vector', 'keyword', 'hybrid']),
    total: z.int(),
    documents: z.int(),
    seconds: z.number(),
  }),
  reranking_results: z.object({
    reranker: z.nullable(z.string()),
    status: z.enum(['done', 'off', 'skipped']),
    /** Reason it was skipped or replaced, in one sentence. */
    detail: z.nullable(z.string()),
    skipped_because: z.nullable(SkippedBecause),
    /** The requested reranker that is not installed, when another one was used. */
    instead_of: z.nullable(z.string()),
    total: z.int(),
    seconds: z.number(),
  }),
  generation_results: z.object({
    model: z.string(),
    ...{ input_tokens: z.int(), output_tokens: z.int(), total_tokens: z.int() },
    timing: seconds,
  }),
  total_tokens: z.int(),
  metadata: z.object({ model: z.string(), timing: seconds }),
  /** Documents that could not be searched. */
  left_out: LeftOut,
})
export type RagAnswer = z.infer<typeof RagAnswer>

/** Output of `document_search`: the answer in the form its card shows. */
export const DocumentAnswer = z.object({
  /** The question used for the search; follow-up questions are rewritten to stand alone. */
  question: z.string(),
  response: z.string(),
  is_answered: z.boolean(),
  sources: z.array(FoundPassage),
  doubts: z.array(Doubt),
  searched: z.object({ documents: z.int(), passages: z.int() }),
  /** Absent in older answers. */
  left_out: z.optional(LeftOut),
  /** Set for an answer based on all passages. */
  coverage: z.optional(Coverage),
})
export type DocumentAnswer = z.infer<typeof DocumentAnswer>

/** Returns the answer; for `text/event-stream` it streams its progress (`rag-events.ts`). */
export const generateAnswer = route({
  method: 'POST',
  path: '/rag/generate',
  afterTerms: true,
  access: 'user',
  uses: 'tool document_search',
  fails: [
    'not_available',
    'class_refused',
    'provider_failed',
    'insufficient_balance',
    'budget_used_up',
    'not_found',
  ],
  sends: 'text/event-stream',
  scope: 'documents.read',
  summary: 'An answer from the library that cites its passages',
  body: RagRequest,
  answer: RagAnswer,
})
