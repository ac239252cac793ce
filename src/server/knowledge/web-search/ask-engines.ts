import type { WebHits, WebQuestion } from '#shared/knowledge/web-search/web-port.ts'
import type { EngineFailure } from '#shared/knowledge/web-search/web-search.ts'
import { AppError } from '#shared/platform/errors.ts'
import type { Language } from '#shared/platform/primitives.ts'
import { findLanguage } from '../../models/models/offline/words/language.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Platform } from '../../platform/platform.ts'
import { brave } from './engines/brave.ts'
import type { Ask, Engine } from './engines/engine.ts'
import { recentEnough } from './engines/hits.ts'
import { searxng } from './engines/searxng.ts'
import { tavily } from './engines/tavily.ts'
import { wikipedia } from './engines/wikipedia.ts'

/** Timeout per engine. */
const SECONDS = 10

type Deps = Pick<Platform, 'config' | 'outbound' | 'clock' | 'log'>

/** Returns the configured engines in order; the last one needs no key. */
function enginesOf(config: Config): { engine: Engine; address: string }[] {
  const { SEARXNG_URL, BRAVE_API_KEY, BRAVE_URL, TAVILY_API_KEY, TAVILY_URL, WIKIPEDIA_URL } = config
  return [
    ...(SEARXNG_URL ? [{ engine: searxng(SEARXNG_URL), address: SEARXNG_URL }] : []),
    ...(BRAVE_API_KEY ? [{ engine: brave(BRAVE_URL, BRAVE_API_KEY), address: BRAVE_URL }] : []),
    ...(TAVILY_API_KEY ? [{ engine: tavily(TAVILY_URL, TAVILY_API_KEY), address: TAVILY_URL }] : []),
    { engine: wikipedia(WIKIPEDIA_URL), address: WIKIPEDIA_URL },
  ]
}

/** Returns the addresses of the engines in order; `{language}` is a placeholder for the language of the question. */
export function addressesOfEngines(config: Config): string[] {
  return enginesOf(config).map(({ address }) => address)
}

/** Asks the engines in order until one answers. @throws AppError `unavailable` when none does */
export async function askEngines(
  { config, outbound, clock, log }: Deps,
  question: WebQuestion & { spoken: Language },
  signal: AbortSignal,
): Promise<WebHits> {
  const failures: EngineFailure[] = []
  const now = clock.now()
  const language = findLanguage(question.query) ?? question.spoken
  for (const { engine, address } of enginesOf(config)) {
    const ask: Ask = async (url, request) => {
      const trusted = [address.replace('{language}', language)]
      const answer = await outbound.fetch(url, { ...request, signal, trusted, seconds: SECONDS })
      if (!answer.ok) throw new Refusal(answer.status)
      return answer.json()
    }
    try {
      const hits = await engine.search({ ...question, language, now }, ask)
      const recent = recentEnough(hits, question.time_range, now)
      const once = [...new Map(recent.map((hit) => [hit.url, hit])).values()]
      return { engine: engine.id, failures, hits: once }
    } catch (error) {
      signal.throwIfAborted()
      log.warn({ err: error, engine: engine.id }, 'a search engine did not answer')
      failures.push({ engine: engine.id, reason: reasonOf(error) })
    }
  }
  const reasons = failures.map(({ engine, reason }) => `${names[engine]} ${sentences[reason]}`)
  throw new AppError('unavailable', `No search engine answered: ${reasons.join(', ')}.`)
}

/** An unsuccessful HTTP status. */
class Refusal extends Error {
  readonly status: number
  constructor(status: number) {
    super(`The engine answered with status ${status}.`)
    this.status = status
  }
}

function reasonOf(error: unknown): EngineFailure['reason'] {
  if (error instanceof AppError) return 'silent'
  if (!(error instanceof Refusal)) return 'strange'
  if (error.status === 401 || error.status === 403) return 'refused'
  return error.status === 429 ? 'too_often' : 'failed'
}

const names = { searxng: 'SearXNG', brave: 'Brave', tavily: 'Tavily', wikipedia: 'Wikipedia' }
const sentences: Record<EngineFailure['reason'], string> = {
  refused: 'refused (its key or its settings are wrong)',
  too_often: 'was asked too often',
  failed: 'failed',
  silent: 'did not answer',
  strange: 'answered in a form that is not known',
}
