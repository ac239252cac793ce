import { asksForAll } from '#shared/knowledge/corpus/asks-for-all.ts'
import { contentWords } from '#shared/platform/citations/check.ts'
import type { ToldPassage } from '../evidence.ts'
import { isSummaryWanted } from './intents.ts'
import type { Answer } from './skills/skill.ts'
import { chooseSentences, splitSentences } from './texts/summary.ts'

/** Sentences an answer has at most, and one that lists. */
const MOST = 3
const LISTED = 60
/** A sentence answers when it, with its passage, has so much of what was asked, by how rare the words are. */
const LEAST = 0.5
/** Further sentences must be nearly as good as the best. */
const NEAR = 0.6

type Candidate = { number: number; sentence: string; own: Set<string>; around: Set<string>; score: number }

/** The sentences of passages that have most of what is asked, each behind its number; null when none has enough. */
export function answerFromPassages(asked: string, passages: readonly ToldPassage[]): Answer | null {
  const candidates = passages.flatMap(readPassage)
  const words = [...new Set(stemsOf(asked))].filter((word) => !ASKING.has(word))
  const isAboutAll =
    isSummaryWanted(asked) && !candidates.some(({ own }) => words.some((word) => own.has(word)))
  if (isAboutAll) return tell(chooseBest(candidates))
  if (words.length === 0) return null
  const rarity = new Map(words.map((word) => [word, rarityOf(word, candidates)]))
  const sum = (list: Set<string>) =>
    words.reduce((all, word) => all + (list.has(word) ? (rarity.get(word) ?? 0) : 0), 0)
  const whole = words.reduce((all, word) => all + (rarity.get(word) ?? 0), 0)
  const scored = candidates
    .map((one) => ({ ...one, score: (0.75 * sum(one.own) + 0.25 * sum(one.around)) / whole }))
    .filter(({ own, around }) => sum(own) > 0 && sum(around) / whole >= LEAST)
    .sort((a, b) => b.score - a.score)
  const best = scored[0]?.score ?? 0
  // What is to be listed is listed as it stands in the documents.
  if (asksForAll(asked)) return tell(candidates.filter((one) => scored.some(isSame(one))).slice(0, LISTED))
  return tell(scored.filter(({ score }) => score >= NEAR * best).slice(0, MOST))
}

const isSame = (one: Candidate) => (other: Candidate) =>
  one.number === other.number && one.sentence === other.sentence

function chooseBest(candidates: readonly Candidate[]): Candidate[] {
  const long = candidates.filter(({ sentence }) => sentence.length > 20)
  const chosen = chooseSentences(
    long.map(({ sentence }) => sentence),
    MOST,
  )
  return chosen.flatMap((place) => long[place] ?? [])
}

function readPassage({ number, text }: ToldPassage): Candidate[] {
  const around = new Set(stemsOf(text))
  return splitSentences(belowTitles(text)).map((sentence) => ({
    ...{ number, sentence, around, score: 0 },
    own: new Set(stemsOf(sentence)),
  }))
}

/** A title has no end of a sentence and no figures. */
const TITLE = /^[^\d:.!?…;,[\]]{1,80}$/

/** A passage without the titles it begins with, when a sentence follows them: they are no part of that sentence. */
function belowTitles(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const first = lines.findIndex((line) => !TITLE.test(line.trim()))
  return first > 0 && /[.!?…]/.test(lines[first] ?? '') ? lines.slice(first).join('\n') : text
}

function rarityOf(word: string, candidates: readonly Candidate[]): number {
  const count = candidates.filter(({ own }) => own.has(word)).length
  return Math.log(1 + (candidates.length - count + 0.5) / (count + 0.5))
}

function tell(chosen: readonly Candidate[]): Answer | null {
  const lines = chosen.map(({ number, sentence }) => {
    const line = sentence.replace(/\s+/g, ' ')
    // A note that was taken of it carries its number already.
    return line.includes(`[${number}]`) ? line : `${line} [${number}]`
  })
  if (lines.length === 0) return null
  return { text: lines.length === 1 ? lines.join('') : lines.map((line) => `- ${line}`).join('\n') }
}

/** Forms of a word begin alike. */
function stemsOf(text: string): string[] {
  return contentWords(text).map((word) => word.slice(0, 5))
}

/** What a question says of itself. */
const ASKING = new Set(
  stemsOf(
    'documents document files fichiers dossier tell explain search find passages according list name count compare enumerate ' +
      'liste lister enumere recense combien chaque',
  ),
)
