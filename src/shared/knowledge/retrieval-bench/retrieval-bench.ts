import * as z from 'zod/mini'
import { MAX_MODEL_NAME } from '../../models/connections/model-name.ts'
import { route } from '../../platform/http.ts'
import { Id, label, queryInt, text, trimmed } from '../../platform/primitives.ts'
import { FeedbackReason, Rating } from '../../runs/runs/rating.ts'

/** Search settings to measure. */
export const BenchSetting = z.object({
  type: z.enum(['vector', 'keyword', 'hybrid']),
  /** Weight of the vectors in a hybrid search. */
  alpha: z._default(z.number().check(z.gte(0), z.lte(1)), 0.5),
  reranker: z._default(z.nullable(text(1, MAX_MODEL_NAME)), null),
  /** Number of passages that are found and reranked. */
  candidates: z._default(z.int().check(z.gte(10), z.lte(100)), 20),
})
export type BenchSetting = z.infer<typeof BenchSetting>

/** A passage expected for a question: it answers the question, or helps to. */
export const Expectation = z.object({ chunk_id: Id, grade: z.enum(['answers', 'helps']) })
export type Expectation = z.infer<typeof Expectation>

export const BenchSet = z.object({
  id: Id,
  name: z.string(),
  /** Number of questions, and of those with an expected passage. */
  cases: z.int(),
  judged: z.int(),
})
export type BenchSet = z.infer<typeof BenchSet>

export const BenchOrigin = z.object({ rating: Rating, reason: z.nullable(FeedbackReason) })
export type BenchOrigin = z.infer<typeof BenchOrigin>

export const BenchCase = z.object({
  id: Id,
  question: z.string(),
  expected: z.array(Expectation),
  /** Feedback on the reply to this question; null for a question typed here. */
  origin: z.nullable(BenchOrigin),
  /** By run: rank of the first expected passage, from 1; null when none was found. */
  ranks: z.record(z.string(), z.nullable(z.int())),
})
export type BenchCase = z.infer<typeof BenchCase>

/** Means over the questions with an expected passage, except for the times. */
export const BenchFigures = z.object({
  questions: z.int(),
  recall_5: z.number(),
  recall_10: z.number(),
  mrr: z.number(),
  /** nDCG at 10, with gain 2 for a passage that answers and 1 for one that helps. */
  ndcg_10: z.number(),
  p50_ms: z.number(),
  p95_ms: z.number(),
  /** Dollars; null when a provider's price is unknown. */
  cost_per_1000: z.nullable(z.number()),
  /** Number of questions for which the reranker was skipped. */
  skipped: z.int(),
})
export type BenchFigures = z.infer<typeof BenchFigures>

export const BenchRun = z.object({
  id: Id,
  setting: BenchSetting,
  /** The library's embedding model at the time. */
  model: z.nullable(z.string()),
  state: z.enum(['running', 'ready', 'failed']),
  done: z.int(),
  total: z.int(),
  problem: z.nullable(z.string()),
  created_at: z.string(),
  /** Figures of the finished questions; null when there are none. */
  figures: z.nullable(BenchFigures),
})
export type BenchRun = z.infer<typeof BenchRun>

/** An expected passage with its text; null when it was deleted or the caller may not read it. */
export const ExpectedPassage = z.extend(Expectation, {
  document_name: z.nullable(z.string()),
  text: z.nullable(z.string()),
})
export type ExpectedPassage = z.infer<typeof ExpectedPassage>

/** Feedback shared with administrators, or the caller's own, whose question is not in a set yet. */
export const BenchFeedback = z.extend(BenchOrigin, {
  message_id: Id,
  user_id: Id,
  question: z.string(),
  comment: z.nullable(z.string()),
  /** Number of passages that the reply cites. */
  passages: z.int(),
  at: z.string(),
})
export type BenchFeedback = z.infer<typeof BenchFeedback>

export const MAX_SETS = 100
export const MAX_CASES = 500
/** Runs stored per set; older ones are deleted. */
export const MAX_RUNS = 8
/** Maximum number of settings started together. */
export const MAX_SETTINGS = 4
export const CASES_A_PAGE = 50

const page = {
  page: queryInt({ min: 1, max: 100_000, fallback: 1 }),
  limit: queryInt({ min: 1, max: 100, fallback: CASES_A_PAGE }),
}
const setParams = z.object({ benchSetId: Id })
const caseParams = z.object({ benchCaseId: Id })
const caseBody = z.object({
  question: trimmed(1, 4_000),
  expected: z.array(Expectation).check(z.maxLength(50)),
})
const nobodys = { access: 'super_admin', may: null } as const

export const listBenchSets = route({
  method: 'GET',
  path: '/retrieval-bench/sets',
  access: 'super_admin',
  summary: 'Sets of questions for measuring searches, by name, at most 100',
  pages: 1_000,
  answer: z.object({ sets: z.array(BenchSet) }),
})

export const createBenchSet = route({
  method: 'POST',
  path: '/retrieval-bench/sets',
  access: 'super_admin',
  fails: ['conflict'],
  summary: 'Make a set of questions',
  status: 201,
  body: z.object({ name: label(1, 100) }),
  answer: BenchSet,
})

export const removeBenchSet = route({
  method: 'DELETE',
  path: '/retrieval-bench/sets/:benchSetId',
  ...nobodys,
  fails: ['not_found'],
  summary: 'Delete a set with its questions and runs',
  status: 204,
  params: setParams,
})

export const listBenchCases = route({
  method: 'GET',
  path: '/retrieval-bench/sets/:benchSetId/cases',
  ...nobodys,
  fails: ['not_found'],
  summary: 'Questions of a set, in the order they were added, with their ranks in the newest runs',
  params: setParams,
  query: z.object({ ...page, q: z.optional(text(0, 200)) }),
  answer: z.object({ items: z.array(BenchCase), total: z.int(), has_more: z.boolean() }),
})

export const addBenchCase = route({
  method: 'POST',
  path: '/retrieval-bench/sets/:benchSetId/cases',
  ...nobodys,
  fails: ['not_found', 'conflict'],
  summary: 'Add a question, which is searched with the rights of who adds it',
  status: 201,
  params: setParams,
  body: caseBody,
  answer: BenchCase,
})

export const readBenchCase = route({
  method: 'GET',
  path: '/retrieval-bench/cases/:benchCaseId',
  ...nobodys,
  fails: ['not_found'],
  summary: 'A question with the words of the passages that are expected',
  params: caseParams,
  answer: z.object({ case: BenchCase, passages: z.array(ExpectedPassage) }),
})

export const changeBenchCase = route({
  method: 'PUT',
  path: '/retrieval-bench/cases/:benchCaseId',
  ...nobodys,
  fails: ['not_found'],
  summary: 'Change a question or what is expected; the figures of runs follow',
  params: caseParams,
  body: caseBody,
  answer: BenchCase,
})

export const removeBenchCase = route({
  method: 'DELETE',
  path: '/retrieval-bench/cases/:benchCaseId',
  ...nobodys,
  fails: ['not_found'],
  summary: 'Delete a question with what runs found for it',
  status: 204,
  params: caseParams,
})

export const listBenchRuns = route({
  method: 'GET',
  path: '/retrieval-bench/sets/:benchSetId/runs',
  ...nobodys,
  fails: ['not_found'],
  summary: 'The newest runs of a set with their figures, the eldest first, at most 8',
  params: setParams,
  pages: 1_000,
  answer: z.object({ runs: z.array(BenchRun) }),
})

export const beginBenchRuns = route({
  method: 'POST',
  path: '/retrieval-bench/sets/:benchSetId/runs',
  ...nobodys,
  fails: ['not_found', 'conflict', 'not_available'],
  summary:
    'Put all questions of a set to the library in each setting; what providers take is paid by the caller',
  status: 202,
  params: setParams,
  body: z.object({ settings: z.array(BenchSetting).check(z.minLength(1), z.maxLength(MAX_SETTINGS)) }),
  answer: z.object({ runs: z.array(BenchRun) }),
})

export const removeBenchRun = route({
  method: 'DELETE',
  path: '/retrieval-bench/runs/:benchRunId',
  ...nobodys,
  fails: ['not_found'],
  summary: 'Stop a run and delete what it found',
  status: 204,
  params: z.object({ benchRunId: Id }),
})

export const listBenchFeedback = route({
  method: 'GET',
  path: '/retrieval-bench/feedback',
  access: 'super_admin',
  summary:
    'Feedback on replies that people let administrators see, and the own, that is in no set yet, the newest first',
  query: z.object(page),
  answer: z.object({ items: z.array(BenchFeedback), has_more: z.boolean() }),
})

export const addBenchFeedback = route({
  method: 'POST',
  path: '/retrieval-bench/sets/:benchSetId/feedback',
  ...nobodys,
  fails: ['not_found', 'conflict'],
  summary:
    'Make a question of a set of feedback, searched with the rights of who gave it; passages of a reply that was of use are expected',
  status: 201,
  params: setParams,
  body: z.object({ message_id: Id, user_id: Id }),
  answer: BenchCase,
})
