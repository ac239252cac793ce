import type { WebHit, WebReading } from '#shared/knowledge/web-search/web-port.ts'
import { MAX_SNIPPET } from '#shared/knowledge/web-search/web-search.ts'
import type { ModelDeps } from '../../models/model-deps.ts'
import { type Candidate, findReranker, wordsOf } from '../search/search.ts'
import type { ReadPages } from './read-pages.ts'
import { withoutNearDuplicates } from './same-pages.ts'
import type { Page } from './store.ts'

type Deps = Pick<ModelDeps, 'models' | 'config' | 'log'>

/** Approximate characters of a passage. */
const PASSAGE = 900
/** Maximum passages of a page that are considered, then passages that are rated, given to the model, and given per page. */
const LOOKED_MOST = 80
const RATED_MOST = 20
const GIVEN_MOST = 10
const PER_PAGE_MOST = 3
const RERANKER = 'maxsim'

type Material = { hit: WebHit; page: Page | null; text: string }
type Passage = { at: number; text: string; score: number }

/**
 * Returns the passages that fit a question best: of pages that were read, and of snippets of the others. Near-duplicate pages count once.
 * The best page comes first.
 */
export async function fittingPassages(
  deps: Deps,
  query: string,
  hits: readonly WebHit[],
  { pages, unread }: ReadPages,
  signal: AbortSignal,
): Promise<WebReading> {
  const all = hits.map((hit): Material => {
    const page = pages.get(hit.url) ?? null
    return { hit, page, text: page?.text ?? hit.snippet }
  })
  const material = withoutNearDuplicates(all, ({ text, hit }) => (text === '' ? hit.url : text))
  const passages = material.flatMap(({ text }, at) =>
    splitPassages(text)
      .slice(0, LOOKED_MOST)
      .map((passage): Passage => ({ at, text: passage, score: 0 })),
  )
  const rated = await rate(deps, query, material, byWords(query, passages).slice(0, RATED_MOST), signal)
  const best = Map.groupBy(rated, ({ at }) => at)
  const order = [...material.keys()].toSorted(
    (a, b) => (best.get(b)?.[0]?.score ?? -1) - (best.get(a)?.[0]?.score ?? -1) || a - b,
  )
  const given = [...best.values()].flatMap((some) => some.slice(0, PER_PAGE_MOST))
  const chosen = given.toSorted((a, b) => b.score - a.score).slice(0, GIVEN_MOST)
  return {
    sources: order.map((at, index) => {
      const { hit, page } = material[at] as Material
      const snippet = best.get(at)?.[0]?.text ?? (hit.snippet || page?.text || '')
      return {
        ...hit,
        ...{ title: page?.title || hit.title, published: page?.published ?? hit.published },
        ...{ snippet: snippet.slice(0, MAX_SNIPPET).toWellFormed(), rank: index + 1 },
        ...{ used_in_response: false, is_read: page !== null },
        ...(page === null && { unread: unread.get(hit.url) ?? 'failed' }),
      }
    }),
    passages: chosen.map(({ at, text }) => ({ number: order.indexOf(at) + 1, text })),
  }
}

/** Splits a text into passages: joins short paragraphs and cuts long ones between sentences. */
export function splitPassages(text: string): string[] {
  const passages: string[] = []
  let open = ''
  const sentences = text.split(/\n\s*\n/).flatMap((paragraph) => {
    const whole = paragraph.trim()
    return whole.length <= PASSAGE ? [whole] : (whole.match(/[^.!?。\n]{1,900}[.!?。\n]{0,3}/g) ?? [])
  })
  for (const piece of sentences) {
    if (open !== '' && open.length + piece.length > PASSAGE) {
      passages.push(open)
      open = ''
    }
    open = open === '' ? piece : `${open}\n${piece}`
  }
  return (open.trim() === '' ? passages : [...passages, open])
    .map((passage) => passage.trim())
    .filter(Boolean)
}

const K1 = 1.2
const B = 0.75

/** Rates passages by the words of the question with BM25 (Robertson and Zaragoza 2009), best first. */
function byWords(query: string, passages: readonly Passage[]): Passage[] {
  const asked = [...new Set(wordsOf(query))]
  const counted = passages.map((passage) => {
    const words = wordsOf(passage.text)
    return { passage, size: words.length, counts: Map.groupBy(words, (word) => word) }
  })
  const mean = counted.reduce((sum, { size }) => sum + size, 0) / (counted.length || 1)
  const weights = asked.map((word) => {
    const having = counted.filter(({ counts }) => counts.has(word)).length
    return [word, Math.log(1 + (counted.length - having + 0.5) / (having + 0.5))] as const
  })
  return counted
    .map(({ passage, size, counts }) => {
      const score = weights.reduce((sum, [word, weight]) => {
        const count = counts.get(word)?.length ?? 0
        return sum + (weight * count * (K1 + 1)) / (count + K1 * (1 - B + (B * size) / mean))
      }, 0)
      return { ...passage, score }
    })
    .toSorted((a, b) => b.score - a.score)
}

/** Rates passages by words and meaning; by words only when the reranker fails or is too slow. */
async function rate(
  { models, config, log }: Deps,
  query: string,
  material: readonly Material[],
  passages: readonly Passage[],
  signal: AbortSignal,
): Promise<Passage[]> {
  const most = passages[0]?.score || 1
  const candidates = passages.map(
    ({ at, text, score }, index): Candidate => ({
      ...{ id: String(index), text, vector: null, score: score / most },
      title: material[at]?.hit.title ?? '',
    }),
  )
  const late = AbortSignal.timeout(config.ATRIUM_LIMIT_RERANK_SECONDS * 1000)
  try {
    const reranker = await findReranker(models, RERANKER)
    const rates = await reranker.rate(
      { text: query, vector: null },
      candidates,
      AbortSignal.any([signal, late]),
    )
    return passages
      .map((passage, at) => ({ ...passage, score: rates[at] ?? 0 }))
      .toSorted((a, b) => b.score - a.score)
  } catch (error) {
    signal.throwIfAborted()
    log.warn({ err: error }, 'web pages were ranked by keywords only')
    return passages.map((passage, at) => ({ ...passage, score: candidates[at]?.score ?? 0 }))
  }
}
