import type { FullTextQuery } from '@lancedb/lancedb'
import { engine } from './engine.ts'
import { withoutFunctionWords } from './function-words.ts'
import { segment } from './segment.ts'
import { bodyOf, type IndexLanguage } from './table-spec.ts'

/** What a text must, may and must not hold. */
export type Words = {
  /** Each counts by how rare it is. */
  any: string
  /** Exactly so, one after the other. */
  phrases: readonly string[]
  without: readonly string[]
}

/** A word in the title counts half as much again as in the text. */
const TITLE_WEIGHT = 0.5
const LAYERS_MAX = 8
/** Whose rules the index of titles follows. */
const TITLE_LANGUAGE = 'en'

/**
 * BM25 over the texts of these languages and over titles; null when there is nothing to look for. `apart`: words of a phrase are words like
 * any others.
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
  // In rows that are not folded in yet the engine finds no phrases, nor several words at once where one stands twice.
  for (const phrase of apart ? [] : phrases) {
    const anywhere = bodies.map((column) => new PhraseQuery(segment(phrase), column))
    clauses.push([Occur.Must, new BooleanQuery(anywhere.map((query) => [Occur.Should, query]))])
  }
  for (const words of without)
    for (const column of bodies)
      clauses.push([Occur.MustNot, new MatchQuery(segment(words), column, { operator: Operator.And })])
  return new BooleanQuery(clauses)
}

/** A word that is said twice counts twice: all words once, then those said again, and so on. */
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
