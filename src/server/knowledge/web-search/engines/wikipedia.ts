import * as z from 'zod'
import { type Engine, HITS_MOST } from './engine.ts'
import { cleanHit } from './hits.ts'

const Answer = z.object({
  query: z.object({
    search: z.array(
      z.object({ title: z.string(), snippet: z.string().nullish(), timestamp: z.string().nullish() }),
    ),
  }),
})

/** Question words that are no search terms. */
const ASKING =
  /(?<!\p{L})(?:who|what|when|where|which|why|how|is|are|was|were|does|did|do|the|an?|of|qui|que|quoi|quand|où|quel(?:le)?s?|pourquoi|comment|combien|est-ce|est|sont|était|le|la|les|un|une|des|du|de)(?!\p{L})/giu

/**
 * Wikipedia in the language of the question, without a key (mediawiki.org, API:Search). `{language}` in `address` is replaced. A page's
 * date is its last edit.
 */
export const wikipedia = (address: string): Engine => ({
  id: 'wikipedia',
  search: async ({ query, time_range, language }, ask) => {
    const base = address.replace('{language}', language).replace(/(?<!\/)\/+$/, '')
    const find = async (srsearch: string) => {
      const wish = {
        ...{ action: 'query', list: 'search', format: 'json', formatversion: '2', srsearch },
        ...{ srlimit: String(HITS_MOST), srprop: 'snippet|timestamp' },
        ...(time_range ? { srsort: 'last_edit_desc' } : {}),
      }
      return Answer.parse(await ask(`${base}/w/api.php?${new URLSearchParams(wish)}`)).query.search
    }
    const found = await find(query)
    // An article must contain every word, and often lacks the small words of a question.
    const words = query
      .replace(ASKING, ' ')
      .replace(/[?!.,;:]+/g, ' ')
      .replace(/\s+/g, ' ')
      .trim()
    const hits = found.length > 0 || words === '' || words === query ? found : await find(words)
    return hits.flatMap(({ title, snippet, timestamp: published }) => {
      const url = `${base}/wiki/${encodeURIComponent(title.replaceAll(' ', '_'))}`
      return cleanHit({ url, title, snippet, published, engine: 'wikipedia' })
    })
  },
})
