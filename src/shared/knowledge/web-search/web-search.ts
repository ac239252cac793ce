import * as z from 'zod/mini'
import { Doubt } from '../../platform/citations/doubts.ts'

/** How recent pages must be (ledger G-42). */
export const TimeRange = z.enum(['day', 'week', 'month', 'year'])
export type TimeRange = z.infer<typeof TimeRange>

/** The phases of a search of the web, in their order (ledger WE-10). */
export const WebPhase = z.enum(['WEB_SEARCH', 'SCRAPING_URLS', 'RERANKING', 'GENERATION'])
export type WebPhase = z.infer<typeof WebPhase>

/** The search engines that can be asked. */
export const WebEngine = z.enum(['searxng', 'brave', 'tavily', 'wikipedia'])
export type WebEngine = z.infer<typeof WebEngine>

/**
 * Why a page was not read: it refused, is not there, had an error, gave no answer, took too long, is too large, leads where no page of the
 * web is, has no text that can be read, or others came before it.
 */
export const UnreadReason = z.enum([
  ...([
    'refused',
    'missing',
    'failed',
    'silent',
    'slow',
    'too_large',
    'not_public',
    'no_text',
    'not_tried',
  ] as const),
])
export type UnreadReason = z.infer<typeof UnreadReason>

/** A page that was found (ledger WE-07). */
export const WebSource = z.object({
  url: z.string(),
  title: z.string(),
  /** The passage of it that fits best, or what the engine says of it; at most `SNIPPET_MOST` characters. */
  snippet: z.string(),
  /** The engine that named it; one that asks others says which of them did. */
  engine: z.string(),
  /** From 1, the best first. */
  rank: z.int(),
  /** The answer cites it. */
  used_in_response: z.boolean(),
  /** The page itself was read. False: it could not be, and the engine's words stand for it. */
  is_read: z.boolean(),
  /** Why it was not; absent for one that was, and in what was recorded before it was noted. */
  unread: z.optional(UnreadReason),
  /** When it was published or last changed, as an ISO date; null when that is not known. */
  published: z.nullable(z.string()),
})
export type WebSource = z.infer<typeof WebSource>

export const SNIPPET_MOST = 400

/** An engine that was asked first and did not answer: it refused its key, had enough of questions, failed, was silent, or spoke strangely. */
export const EngineFailure = z.object({
  engine: WebEngine,
  reason: z.enum(['refused', 'too_often', 'failed', 'silent', 'strange']),
})
export type EngineFailure = z.infer<typeof EngineFailure>

/** What `web_search` gives. */
export const WebAnswer = z.object({
  query: z.string(),
  time_range: z.nullable(TimeRange),
  /** With a marker for each cited page (`citations/tags.ts`), numbered by first appearance. */
  response: z.string(),
  /** The pages say something about it. False: the answer says that they do not. */
  is_answered: z.boolean(),
  sources: z.array(WebSource),
  doubts: z.array(Doubt),
  engine: WebEngine,
  failures: z.array(EngineFailure),
})
export type WebAnswer = z.infer<typeof WebAnswer>
