import type { FullTextQuery } from '@lancedb/lancedb'
import { engine } from './engine.ts'
import { withoutFunctionWords } from './function-words.ts'
import { segment } from './segment.ts'
import { bodyOf, type IndexLanguage } from './table-spec.ts'

/** Words a text may contain, must contain and must not contain. */
export type Words = {
  /** Optional words, weighted by rarity. */
  any: string
  /** Required exact phrases. */
  phrases: readonly string[]
  without: readonly string[]
}

/** Additional weight of a word in the title. */
const TITLE_WEIGHT = 0.5
const LAYERS_MAX = 8
/** Language of the title index. */
const TITLE_LANGUAGE = 'en'

/**
 * Returns a BM25 query over the texts of these languages and over titles; null if there is nothing to search for. With `apart`,
 * words of a phrase count as separate words.
 */
export function keywordQuery(
  { any, phrases, without }: Words,
  languages: readonly IndexLanguage[],
  { apart = false } = {},
): FullTextQuery | null {
  const { BooleanQuery, MatchQuery, Occur, Operator, PhraseQuery } = engine().lance
  const bodies = languages.map(bodyOf)
  const words = segment([any, ...phrases].join(' ')).match(/[\p{L}\p{N}]+/gu)
  if (!words) return null
  const clauses: [typeof Occur.Should | typeof Occur.Must | typeof Occur.MustNot, FullTextQuery][] = []
  for (const language of languages)
    for (const layer of layersOf(withoutFunctionWords(words, language)))
      clauses.push([Occur.Should, new MatchQuery(layer, bodyOf(language))])
  const inTitle = withoutFunctionWords(words, TITLE_LANGUAGE).join(' ')
  clauses.push([Occur.Should, new MatchQuery(inTitle, 'title', { boost: TITLE_WEIGHT })])
  // In unmerged rows the engine finds neither phrases nor several words if one occurs twice.
  for (const phrase of apart ? [] : phrases) {
    const anywhere = bodies.map((column) => new PhraseQuery(segment(phrase), column))
    clauses.push([Occur.Must, new BooleanQuery(anywhere.map((query) => [Occur.Should, query]))])
  }
  for (const words of without)
    for (const column of bodies)
      clauses.push([Occur.MustNot, new MatchQuery(segment(words), column, { operator: Operator.And })])
  return new BooleanQuery(clauses)
}

/** A repeated word counts repeatedly: first each word once, then the words that occur twice, and so on. */
function layersOf(words: readonly string[]): string[] {
  const counts = new Map<string, number>()
  const layers: string[][] = []
  for (const word of words.map((one) => one.toLowerCase())) {
    const at = counts.get(word) ?? 0
    counts.set(word, at + 1)
    if (at >= LAYERS_MAX) continue
    const layer = layers[at] ?? []
    layer.push(word)
    layers[at] = layer
  }
  return layers.map((layer) => layer.join(' '))
}
