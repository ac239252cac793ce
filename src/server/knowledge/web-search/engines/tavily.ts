import * as z from 'zod'
import { type Engine, HITS_MOST } from './engine.ts'
import { cleanHit } from './hits.ts'

const Answer = z.object({
  results: z.array(
    z.object({
      url: z.string(),
      title: z.string().nullish(),
      content: z.string().nullish(),
      published_date: z.string().nullish(),
    }),
  ),
})

/** The Tavily Search API (docs.tavily.com). */
export const tavily = (address: string, key: string): Engine => ({
  id: 'tavily',
  search: async ({ query, time_range }, ask) => {
    const body = JSON.stringify({ query, max_results: HITS_MOST, ...(time_range ? { time_range } : {}) })
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const answer = await ask(`${address}/search`, { method: 'POST', headers, body })
    return Answer.parse(answer).results.flatMap((hit) => {
      const { url, title, content: snippet, published_date: published } = hit
      return cleanHit({ url, title, snippet, published, engine: 'tavily' })
    })
  },
})
