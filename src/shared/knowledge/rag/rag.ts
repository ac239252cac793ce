import * as z from 'zod/mini'
import { Doubt } from '../../platform/citations/doubts.ts'
import { FoundPassage, PassagePlace } from '../../platform/citations/passages.ts'
import { route } from '../../platform/http.ts'
import { Id, text, trimmed } from '../../platform/primitives.ts'
import { Coverage } from '../corpus/corpus.ts'
import { LeftOut } from '../documents/named-documents.ts'
import { LIBRARY_COLLECTION, SearchFilter, SkippedBecause } from '../search/search.ts'

/** The phases of a question put to documents, in their order (ledger DS-06). */
export const RagPhase = z.enum(['SEARCH_PREPARATION', 'RETRIEVAL', 'RERANKING', 'GENERATION'])
export type RagPhase = z.infer<typeof RagPhase>

export const PhaseStatus = z.enum(['pending', 'started', 'completed'])
export type PhaseStatus = z.infer<typeof PhaseStatus>

const share = z.number().check(z.gte(0), z.lte(1))

/** A question to the library (ledger RG-01, RG-03, RG-04). */
export const RagRequest = z.object({
  query: trimmed(0, 4_000),
  collection_name: z._default(trimmed(0, 100), LIBRARY_COLLECTION),
  /** Passages the search gives. */
  limit: z._default(z.int().check(z.gte(1), z.lte(50)), 10),
  hybrid_search: z._default(z.boolean(), true),
  /** The share of the vectors. */
  hybrid_alpha: z._default(share, 0.5),
  reranker_name: z.nullish(text(1, 100)),
  /** Passages the model is given of them. */
  top_n: z._default(z.int().check(z.gte(1), z.lte(20)), 5),
  /** Of the provider `provider`, or with its whole name as lists of models give it. */
  provider: z.optional(text(1, 100)),
  model: z.optional(text(1, 200)),
  temperature: z._default(share, 0),
  use_json_output: z._default(z.boolean(), false),
  filters: z.optional(z.array(SearchFilter).check(z.maxLength(20))),
  chat_session_id: z.optional(Id),
  workspace_ids: z.optional(z.array(Id).check(z.maxLength(50))),
})
export type RagRequest = z.infer<typeof RagRequest>

const seconds = z.object({ total_seconds: z.number() })

/** What the pipeline did, stage by stage (ledger RG-07). */
export const RagAnswer = z.object({
  /** With a citation tag for each cited passage (`citations/tags.ts`), numbered by first appearance. */
  answer: z.string(),
  /** The documents say something about it. False: the answer says that they do not. */
  is_answered: z.boolean(),
  /** Of passages the answer cites, by chunk id. */
  citations: z.record(z.string(), z.object({ document_id: Id, text: z.string() })),
  /** The same in the order of their numbers. */
  processed_citations: z.array(
    z.object({ number: z.int(), chunk_id: Id, document_id: Id, text: z.string() }),
  ),
  sources: z.array(
    z.extend(PassagePlace, {
      ...{ chunk_id: Id, text: z.string(), title: z.string(), score: z.number() },
      rerank_score: z.nullable(z.number()),
      /** Its place among those the model was given, from 1. */
      rank: z.int(),
      used_in_response: z.boolean(),
    }),
  ),
  doubts: z.array(Doubt),
  /** What the model was asked, whole. */
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
    /** Why it was passed over, or another one used, in a sentence. */
    detail: z.nullable(z.string()),
    skipped_because: z.nullable(SkippedBecause),
    /** The reranker that was asked for and is not installed: another one was used. */
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

/** What `document_search` gives: the same answer as a card shows it. */
export const DocumentAnswer = z.object({
  /** The question as it was searched for: a follow-up question is made whole first. */
  question: z.string(),
  response: z.string(),
  is_answered: z.boolean(),
  sources: z.array(FoundPassage),
  doubts: z.array(Doubt),
  searched: z.object({ documents: z.int(), passages: z.int() }),
  /** Absent in answers of before it was noted. */
  left_out: z.optional(LeftOut),
  /** Of an answer for which every passage was read. */
  coverage: z.optional(Coverage),
})
export type DocumentAnswer = z.infer<typeof DocumentAnswer>

/** Answers at once, or, asked for `text/event-stream`, says what it does while it does it (`rag-events.ts`). */
export const generateAnswer = route({
  method: 'POST',
  path: '/rag/generate',
  access: 'user',
  uses: 'tool document_search',
  fails: ['not_available', 'provider_failed', 'insufficient_balance', 'budget_used_up', 'not_found'],
  sends: 'text/event-stream',
  scope: 'documents.read',
  summary: 'An answer from the library that cites its passages',
  body: RagRequest,
  answer: RagAnswer,
})
