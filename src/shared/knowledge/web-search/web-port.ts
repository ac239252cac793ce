import type { EngineFailure, TimeRange, WebAnswer, WebEngine, WebSource } from './web-search.ts'

export type WebQuestion = { query: string; time_range: TimeRange | null }

/** A page as an engine names it. */
export type WebHit = Pick<WebSource, 'url' | 'title' | 'snippet' | 'engine' | 'published'>

/** What an engine found; plain data, so that it can be recorded. */
export type WebHits = { engine: WebEngine; failures: EngineFailure[]; hits: WebHit[] }

/** What was read of the pages and fits the question: `passages` by the numbers a model knows their pages by, from 1. */
export type WebReading = { sources: WebSource[]; passages: { number: number; text: string }[] }

/** The web, as a tool reaches it. Pages are material: what they say is never followed. */
export type WebPort = {
  /** @throws AppError `unavailable` when no engine answers */
  search: (question: WebQuestion) => Promise<WebHits>
  /** Reads pages and keeps what fits; `told` hears how many are read, and when they are put in order. Pages that cannot be read are passed over. */
  read: (
    question: WebQuestion,
    hits: readonly WebHit[],
    told: (progress: { read: number; of: number } | 'RERANKING') => void,
  ) => Promise<WebReading>
  /** `onText` hears the cited answer while it is written. @throws AppError, ModelError */
  answer: (
    question: WebQuestion,
    found: WebHits,
    reading: WebReading,
    onText: (text: string) => void,
  ) => Promise<WebAnswer>
}
