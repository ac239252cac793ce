const stopWords = new Set(
  (
    'the a an of to in and or is are was were be been it its this that for on with as at by from not no but they them their which who what ' +
    'le la les un une des du de et ou est sont été être il elle ils elles ce cet cette ces pour sur avec dans par en au aux ne pas que qui dont plus'
  ).split(' '),
)

/** Returns the most important sentences of a text, unchanged and in their order. */
export function extractSummary(text: string, count = 3): string[] {
  const sentences = splitSentences(text)
  return chooseSentences(sentences, count).flatMap((place) => sentences[place] ?? [])
}

/** Returns the indexes of the most important sentences, in order. */
export function chooseSentences(sentences: readonly string[], count: number): number[] {
  if (sentences.length <= count) return [...sentences.keys()]
  const weights = weighWords(sentences)
  const scored = sentences.map((sentence, place) => ({
    ...{ place, score: scoreOf(sentence, weights) + (place === 0 ? 0.5 : 0) },
  }))
  const best = scored.sort((a, b) => b.score - a.score).slice(0, count)
  return best.map(({ place }) => place).sort((a, b) => a - b)
}

/** Splits a text into sentences, each on one line. */
export function splitSentences(text: string): string[] {
  return text
    .replace(/\s+/g, ' ')
    .split(/(?<=[.!?…])\s+(?=\p{Lu}|\d|«|")/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence.length > 1)
}

function weighWords(sentences: readonly string[]): Map<string, number> {
  const weights = new Map<string, number>()
  for (const word of sentences.flatMap(wordsOf)) weights.set(word, (weights.get(word) ?? 0) + 1)
  return weights
}

function scoreOf(sentence: string, weights: Map<string, number>): number {
  const words = wordsOf(sentence)
  const sum = words.reduce((total, word) => total + (weights.get(word) ?? 0), 0)
  return words.length === 0 ? 0 : sum / (words.length + 4)
}

function wordsOf(sentence: string): string[] {
  return (sentence.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter(
    (word) => word.length > 2 && !stopWords.has(word),
  )
}
