import type { WebHit, WebQuestion } from '#shared/knowledge/web-search/web-port.ts'
import type { WebEngine } from '#shared/knowledge/web-search/web-search.ts'
import type { Language } from '#shared/platform/primitives.ts'
import type { Outbound } from '../../../platform/outbound/outbound.ts'

/** What a search engine is asked. */
export type EngineQuestion = WebQuestion & {
  /** Of the question. */
  language: Language
  now: Date
}

/** A search engine: its address may be of one's own network, as an administrator set it. */
export type Engine = {
  id: WebEngine
  /** @throws AppError `unavailable` */
  search: (question: EngineQuestion, ask: Ask) => Promise<WebHit[]>
}

/** Asks the engine's address; what it answers is JSON. @throws AppError `unavailable` for a status that is no success */
export type Ask = (url: string, request?: Parameters<Outbound['fetch']>[1]) => Promise<unknown>

/** So many pages an engine is asked for. */
export const HITS_MOST = 20
