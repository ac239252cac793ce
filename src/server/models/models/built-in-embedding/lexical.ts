import { setImmediate } from 'node:timers/promises'

const DIMENSIONS = 384
/** About as much of a text as the model reads, in characters. */
const CHARACTERS_OF_A_TEXT = 2_000
/** Texts between two returns to the event loop. */
const TEXTS_AT_ONCE = 16

/**
 * Embeds texts by their words, for machines where the model cannot run. Texts are near when they share words, or three-letter parts
 * of words. A hash maps each to a dimension and a sign; repetitions count logarithmically.
 */
export async function embedLexically(texts: string[], signal: AbortSignal): Promise<Float32Array[]> {
  const vectors: Float32Array[] = []
  for (const text of texts) {
    vectors.push(vectorOf(text.slice(0, CHARACTERS_OF_A_TEXT)))
    if (vectors.length % TEXTS_AT_ONCE === 0) await setImmediate()
    signal.throwIfAborted()
  }
  return vectors
}

function vectorOf(text: string): Float32Array {
  const counts = new Map<string, number>()
  for (const feature of featuresOf(text)) counts.set(feature, (counts.get(feature) ?? 0) + 1)
  const vector = new Float32Array(DIMENSIONS)
  for (const [feature, count] of counts) {
    const hash = hashOf(feature)
    const place = (hash >>> 1) % DIMENSIONS
    const weight = (feature.length > 3 ? 1 : 0.5) * (1 + Math.log(count))
    vector[place] = (vector[place] ?? 0) + (hash & 1 ? weight : -weight)
  }
  const length = Math.hypot(...vector)
  // A text without words is equally near to all other texts.
  return length === 0 ? vector.fill(1 / Math.sqrt(DIMENSIONS)) : vector.map((value) => value / length)
}

function* featuresOf(text: string): Generator<string> {
  const plain = text
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()
  for (const [word] of plain.matchAll(/[\p{L}\p{N}]+/gu)) {
    yield `${word} `
    for (let at = 0; at + 3 <= word.length; at++) yield word.slice(at, at + 3)
  }
}

/** FNV-1a, 32 bits, with its high bits mixed in. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return (hash ^ (hash >>> 15)) >>> 0
}
