import { isNumber, readWords } from './fact-words.ts'

/** Vectors from this cosine on may be of equal facts. */
const EQUAL_COSINE = 0.97
/** Attributes of which a person or project has one value, by their words in English and French. */
const ATTRIBUTES: RegExp[] = [
  /\b(?:my|our) (?:first |last |full )?name is\b|\bi am called\b|\bje m['’]appelle\b|\bmon (?:pr[ée])?nom est\b/iu,
  /\b(?:i|we)(?:['’]m| am)? (?:live|lives|living|based|moved) (?:in|to|at)\b|\blives in\b|\bj['’]habite\b|\bhabite [àa]\b/iu,
  /\bi work (?:for|at)\b|\bworks (?:for|at)\b|\bje travaille (?:chez|pour)\b|\btravaille chez\b/iu,
  /\b(?:my|our) job title is\b|\bi(?:['’]m| am) (?:the |a )?(?:head|director|manager) of\b|\bje suis (?:le |la )?(?:responsable|directeur|directrice)\b/iu,
  /\b(?:my|our) (?:time ?zone|birthday|manager|boss|budget|deadline|address|phone number) is\b|\bm(?:on|a) (?:fuseau|anniversaire|manager|chef|budget|date limite|adresse) est\b/iu,
  /\b(?:answers?|repl(?:y|ies)|write|respond).{0,20}\bin (?:english|french|german|spanish|italian|dutch|portuguese)\b|\br[ée]pon(?:ses?|d[sz]?).{0,20}\ben (?:anglais|fran[çc]ais|allemand|espagnol|italien)\b/iu,
]

/** Returns how a new fact relates to an older one: the same, a contradiction, or neither. */
export function compareFacts(
  fresh: string,
  older: string,
  cosine: number | null,
): 'same' | 'contradicts' | null {
  const [a, b] = [readWords(fresh), readWords(older)]
  const [stemsA, stemsB] = [wordsOnly(a.stems), wordsOnly(b.stems)]
  const isEqual = stemsA.length > 0 && stemsA.join(' ') === stemsB.join(' ')
  const sameNumbers = a.numbers.join(' ') === b.numbers.join(' ')
  const sameSign = a.isNegated === b.isNegated
  if (isEqual && sameNumbers && sameSign) return 'same'
  if (isEqual && (stemsA.length > 1 || frameOf(fresh) === frameOf(older))) return 'contradicts'
  if (sameNumbers && sameSign && cosine !== null && cosine >= EQUAL_COSINE && sameNames(fresh, older))
    return 'same'
  return ATTRIBUTES.some((attribute) => attribute.test(fresh) && attribute.test(older)) ? 'contradicts' : null
}

const wordsOnly = (stems: readonly string[]) => stems.filter((stem) => !/^\d/.test(stem)).sort()

/** Returns the words of a text without its numbers. */
const frameOf = (text: string) =>
  (text.toLowerCase().match(/\p{L}+/gu) ?? []).filter((word) => !isNumber(word)).join(' ')

/** Names are capitalised words. */
function sameNames(a: string, b: string): boolean {
  const names = (text: string) =>
    (text.match(/(?<![\p{L}\p{N}])\p{Lu}[\p{L}\p{N}]+/gu) ?? []).sort().join(' ')
  return names(a) === names(b)
}

/** Returns the cosine of two vectors; 0 when they differ in length. */
export function cosineOf(a: ArrayLike<number>, b: ArrayLike<number>): number {
  if (a.length !== b.length) return 0
  let [dot, left, right] = [0, 0, 0]
  for (let at = 0; at < a.length; at++) {
    const [x, y] = [a[at] ?? 0, b[at] ?? 0]
    dot += x * y
    left += x * x
    right += y * y
  }
  return left === 0 || right === 0 ? 0 : dot / Math.sqrt(left * right)
}
