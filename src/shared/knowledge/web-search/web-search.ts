import * as z from 'zod/mini'
import { Doubt } from '../../platform/citations/doubts.ts'

/** Maximum age of a page (ledger G-42). */
export const TimeRange = z.enum(['day', 'week', 'month', 'year'])
export type TimeRange = z.infer<typeof TimeRange>

/** Phases of a web search, in order (ledger WE-10). */
export const WebPhase = z.enum(['WEB_SEARCH', 'SCRAPING_URLS', 'RERANKING', 'GENERATION'])
export type WebPhase = z.infer<typeof WebPhase>

/** Supported search engines. */
export const WebEngine = z.enum(['searxng', 'brave', 'tavily', 'wikipedia'])
export type WebEngine = z.infer<typeof WebEngine>

/**
 * Reason a page was not read: it refused, does not exist, returned an error, did not answer, timed out, is too large,
 * redirects outside the public web, has no readable text, or was over the limit of pages.
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

/** A page found by a search (ledger WE-07). */
export const WebSource = z.object({
  url: z.string(),
  title: z.string(),
  /** Best passage of the page, or the engine's description; at most `MAX_SNIPPET` characters. */
  snippet: z.string(),
  /** Engine that found it; a metasearch engine names the underlying one. */
  engine: z.string(),
  /** From 1, best first. */
  rank: z.int(),
  /** True when the answer cites it. */
  used_in_response: z.boolean(),
  /** False when the page could not be read and the engine's description is used instead. */
  is_read: z.boolean(),
  /** Reason it was not read; absent for pages that were read and in older records. */
  unread: z.optional(UnreadReason),
  /** ISO date of publication or last change; null when unknown. */
  published: z.nullable(z.string()),
})
export type WebSource = z.infer<typeof WebSource>

export const MAX_SNIPPET = 400

/** An engine that failed before another one answered: invalid key, rate limit, error, timeout or malformed answer. */
export const EngineFailure = z.object({
  engine: WebEngine,
  reason: z.enum(['refused', 'too_often', 'failed', 'silent', 'strange']),
})
export type EngineFailure = z.infer<typeof EngineFailure>

/** Output of `web_search`. */
export const WebAnswer = z.object({
  query: z.string(),
  time_range: z.nullable(TimeRange),
  /** Contains a marker for each cited page (`citations/citation-tags.ts`), numbered by first appearance. */
  response: z.string(),
  /** False when the pages do not answer the question, and the answer says so. */
  is_answered: z.boolean(),
  sources: z.array(WebSource),
  doubts: z.array(Doubt),
  engine: WebEngine,
  failures: z.array(EngineFailure),
})
export type WebAnswer = z.infer<typeof WebAnswer>
