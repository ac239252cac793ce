import * as z from 'zod'
import { type Engine, HITS_MOST } from './engine.ts'
import { cleanHit } from './hits.ts'

const Answer = z.object({
  results: z.array(
    z.object({
      url: z.string(),
      title: z.string().nullish(),
      content: z.string().nullish(),
      engine: z.string().nullish(),
      publishedDate: z.string().nullish(),
    }),
  ),
})

/** A self-hosted SearXNG server, which queries many engines (docs.searxng.org, Search API); its setting `search.formats` must list `json`. */
export const searxng = (address: string): Engine => ({
  id: 'searxng',
  search: async ({ query, time_range, language }, ask) => {
    const wish = {
      q: query,
      format: 'json',
      language,
      safesearch: '1',
      ...(time_range ? { time_range } : {}),
    }
    const answer = await ask(`${address.replace(/(?<!\/)\/+$/, '')}/search?${new URLSearchParams(wish)}`)
    return Answer.parse(answer)
      .results.slice(0, HITS_MOST)
      .flatMap((hit) => {
        const { url, title, content: snippet, engine, publishedDate: published } = hit
        return cleanHit({ url, title, snippet, published, engine: engine || 'searxng' })
      })
  },
})
