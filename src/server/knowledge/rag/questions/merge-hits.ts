import { languageOf } from '#shared/platform/citations/text-language.ts'
import type { Hit } from '../../search/search.ts'

/** The hits of one wording of a question in its language. `isNamed` when only documents named by the question were searched. */
export type FoundIn = { language: string | null; hits: readonly Hit[]; isNamed?: boolean }

/** Factor for a passage in another language than the wording that found it. */
const FOREIGN = 0.5
/** Bonus for passages of a named document; scores range from 0 to 1. */
const NAMED = 0.25

/** Merges the hits of several wordings by their best score, each passage once. A wording in the language of the passage scores higher. */
export function mergeHits(found: readonly FoundIn[], most: number): Hit[] {
  const asked = new Set(found.map(({ language }) => language))
  const best = new Map<string, { hit: Hit; score: number; place: number }>()
  for (const { language, hits, isNamed = false } of found)
    for (const [place, hit] of hits.entries()) {
      const own = languageOf(hit.passage.text)
      const isForeign = own !== null && own !== language && asked.has(own)
      const score = (hit.rerank_score ?? hit.score) * (isForeign ? FOREIGN : 1) + (isNamed ? NAMED : 0)
      const known = best.get(hit.passage.id)
      if (!known || known.score < score) best.set(hit.passage.id, { hit, score, place })
    }
  return [...best.values()]
    .sort((a, b) => b.score - a.score || a.place - b.place || (a.hit.passage.id < b.hit.passage.id ? -1 : 1))
    .slice(0, most)
    .map(({ hit }) => hit)
}
