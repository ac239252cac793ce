import * as z from 'zod'
import { type Engine, HITS_MOST } from './engine.ts'
import { cleanHit } from './hits.ts'

const Answer = z.object({
  web: z
    .object({
      results: z.array(
        z.object({
          url: z.string(),
          title: z.string().nullish(),
          description: z.string().nullish(),
          page_age: z.string().nullish(),
        }),
      ),
    })
    .nullish(),
})

const freshness = { day: 'pd', week: 'pw', month: 'pm', year: 'py' }

/** The Brave Search API (api-dashboard.search.brave.com, Web Search). */
export const brave = (address: string, key: string): Engine => ({
  id: 'brave',
  search: async ({ query, time_range, language }, ask) => {
    const wish = {
      ...{ q: query, count: String(HITS_MOST), search_lang: language, safesearch: 'moderate' },
      ...(time_range ? { freshness: freshness[time_range] } : {}),
    }
    const headers = { 'x-subscription-token': key, accept: 'application/json' }
    const answer = await ask(`${address}/res/v1/web/search?${new URLSearchParams(wish)}`, { headers })
    const results = Answer.parse(answer).web?.results ?? []
    return results.slice(0, HITS_MOST).flatMap((hit) => {
      const { url, title, description: snippet, page_age: published } = hit
      return cleanHit({ url, title, snippet, published, engine: 'brave' })
    })
  },
})
