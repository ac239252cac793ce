import type { WebHit, WebQuestion } from '#shared/knowledge/web-search/web-port.ts'
import type { WebEngine } from '#shared/knowledge/web-search/web-search.ts'
import type { Language } from '#shared/platform/primitives.ts'
import type { Outbound } from '../../../platform/outbound/outbound.ts'

/** A question to a search engine. */
export type EngineQuestion = WebQuestion & {
  /** The language of the question. */
  language: Language
  now: Date
}

/** A search engine. Its address may be in the private network, as an administrator configured it. */
export type Engine = {
  id: WebEngine
  /** @throws AppError `unavailable` */
  search: (question: EngineQuestion, ask: Ask) => Promise<WebHit[]>
}

/** Requests an address of the engine and returns the JSON it answers. @throws AppError `unavailable`, Error for an unsuccessful status */
export type Ask = (url: string, request?: Parameters<Outbound['fetch']>[1]) => Promise<unknown>

/** Maximum pages requested from an engine. */
export const HITS_MOST = 20
