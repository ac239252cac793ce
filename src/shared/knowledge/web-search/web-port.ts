import type { EngineFailure, TimeRange, WebAnswer, WebEngine, WebSource } from './web-search.ts'

export type WebQuestion = { query: string; time_range: TimeRange | null }

/** A search result of an engine. */
export type WebHit = Pick<WebSource, 'url' | 'title' | 'snippet' | 'engine' | 'published'>

/** Results of an engine as plain data, so that they can be recorded. */
export type WebHits = { engine: WebEngine; failures: EngineFailure[]; hits: WebHit[] }

/** Relevant passages of the pages that were read, by page number from 1. */
export type WebReading = { sources: WebSource[]; passages: { number: number; text: string }[] }

/** Web access for tools. Pages are untrusted: instructions in them are never followed. */
export type WebPort = {
  /** @throws AppError `unavailable` when no engine answers */
  search: (question: WebQuestion) => Promise<WebHits>
  /** Reads pages and keeps what fits; `told` receives how many are read, and when they are put in order. Pages that cannot be read are passed over. */
  read: (
    question: WebQuestion,
    hits: readonly WebHit[],
    told: (progress: { read: number; of: number } | 'RERANKING') => void,
  ) => Promise<WebReading>
  /** Streams the cited answer to `onText`. @throws AppError, ModelError */
  answer: (
    question: WebQuestion,
    found: WebHits,
    reading: WebReading,
    onText: (text: string) => void,
  ) => Promise<WebAnswer>
}
