import { MAX_FACT_TOKENS } from '#shared/chat/memory/memory.ts'
import type { FactVector } from '../fact-store.ts'
import { cosineOf } from '../rules/compare-facts.ts'
import { readWords } from '../rules/fact-words.ts'

export type ToldFact = {
  id: string
  text: string
  /** The message it was learned from. */
  message_id: string | null
  isOfProject: boolean
  /** When it was last used or learned. */
  at: Date
  embedding: FactVector | null
}

export type Question = {
  text: string
  vector: FactVector | null
  /** The question is what is known about the person, so that every fact is relevant. */
  asksAboutMe: boolean
}

/** Share of the question's known words that a fact must have. */
const MIN_OVERLAP = 0.34
/** A word in at most this share of the facts tells one from the others. */
const RARE = 0.03
/** Cosines from which a fact is relevant without common words, and with one. */
const NEAR = 0.9
const NEAR_WITH_WORD = 0.83
/** Without any other fact, the nearest one is relevant from this cosine on, if it is this much nearer than the next. */
const STANDS_OUT = { cosine: 0.8, margin: 0.02 }
/** Facts that score less than this share of the best one are left out. */
const LEAST_SHARE = 0.8
/** Cosine of texts without a relation, and the weight of what is above it. */
const UNRELATED = 0.75
const COSINE_WEIGHT = 4
/** How answers should be, which matters for every question. */
const STANDING =
  /\b(?:prefers?|always|never|like|want|please|should|toujours|jamais|pr[ée]f[èe]re|veux|souhaite)\b.*\b(?:answers?|repl(?:y|ies)|respon[ds]\w*|writ\w+|format\w*|bullets?|tables?|tone|formal\w*|units?|amounts?|r[ée]pon\w+|[ée]cri\w+|tableaux?|ton|unit[ée]s?|montants?)\b|\b(?:answers?|repl(?:y|ies)|r[ée]ponses?)\b.*\b(?:in|are|should|en|sont|doivent)\b/iu
const MAX_STANDING = 4
/** A token has rarely fewer bytes than this. */
const BYTES_PER_TOKEN = 3

/** Returns the facts that matter for a question, best first, within the token budget. */
export function chooseFacts(facts: readonly ToldFact[], question: Question): ToldFact[] {
  if (question.asksAboutMe) return fitBudget(byAge(facts))
  const standing = byAge(facts.filter(({ text }) => STANDING.test(text))).slice(0, MAX_STANDING)
  const scored = scoreFacts(facts, question).filter(({ fact }) => !standing.includes(fact))
  const best = Math.max(0, ...scored.map(({ score }) => score))
  const relevant = scored.filter(({ score }) => score > 0 && score >= best * LEAST_SHARE)
  // The newest of equally good ones come first.
  relevant.sort((a, b) => b.score - a.score || b.fact.at.getTime() - a.fact.at.getTime())
  return fitBudget([...relevant.map(({ fact }) => fact), ...standing])
}

const byAge = (facts: readonly ToldFact[]) => [...facts].sort((a, b) => b.at.getTime() - a.at.getTime())

/** Scores by common words, weighed by how rare they are among the facts, and by vectors. 0 means not relevant. */
function scoreFacts(
  facts: readonly ToldFact[],
  { text, vector }: Question,
): { fact: ToldFact; score: number }[] {
  const read = facts.map((fact) => ({ fact, stems: new Set(readWords(fact.text).stems) }))
  const counts = new Map<string, number>()
  for (const { stems } of read) for (const stem of stems) counts.set(stem, (counts.get(stem) ?? 0) + 1)
  const weigh = (stem: string) => Math.log(1 + facts.length / (counts.get(stem) ?? facts.length))
  const asked = readWords(text).stems.filter((stem) => counts.has(stem))
  const whole = asked.reduce((sum, stem) => sum + weigh(stem), 0)
  const cosineTo = ({ embedding }: ToldFact) =>
    vector && embedding?.model === vector.model ? cosineOf(vector.vector, embedding.vector) : 0
  const scored = read.map(({ fact, stems }) => {
    const common = asked.filter((stem) => stems.has(stem))
    const overlap = whole === 0 ? 0 : common.reduce((sum, stem) => sum + weigh(stem), 0) / whole
    // A number alone says little: years and amounts are everywhere.
    const telling = common.filter((stem) => !/^\d/.test(stem))
    const isRare = telling.some((stem) => (counts.get(stem) ?? 0) <= Math.max(2, facts.length * RARE))
    const cosine = cosineTo(fact)
    const isFound =
      (overlap >= MIN_OVERLAP && (isRare || telling.length > 1)) ||
      cosine >= NEAR ||
      (telling.length > 0 && cosine >= NEAR_WITH_WORD)
    return { fact, cosine, score: isFound ? overlap + COSINE_WEIGHT * Math.max(0, cosine - UNRELATED) : 0 }
  })
  return scored.some(({ score }) => score > 0) ? scored : scoreNearest(scored)
}

type Scored = { fact: ToldFact; cosine: number; score: number }

/** Scores only the nearest fact, if it stands out. It may say the matter of the question in other words. */
function scoreNearest(scored: readonly Scored[]): Scored[] {
  const [first, second] = [...scored].sort((a, b) => b.cosine - a.cosine)
  const isNear = first !== undefined && first.cosine >= STANDS_OUT.cosine
  const standsOut = isNear && first.cosine - (second?.cosine ?? UNRELATED) >= STANDS_OUT.margin
  return standsOut ? [{ ...first, score: first.cosine }] : []
}

/** Returns the first facts that fit into the budget. */
function fitBudget(facts: readonly ToldFact[]): ToldFact[] {
  let left = MAX_FACT_TOKENS * BYTES_PER_TOKEN
  return facts.filter(({ text }) => {
    const bytes = Buffer.byteLength(text) + 4
    if (bytes > left) return false
    left -= bytes
    return true
  })
}
