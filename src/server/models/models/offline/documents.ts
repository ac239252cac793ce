import { asksForAll } from '#shared/knowledge/corpus/asks-for-all.ts'
import { contentWords } from '#shared/platform/citations/check.ts'
import type { ToldPassage } from '../evidence.ts'
import { isSummaryWanted } from './intents.ts'
import type { Answer } from './skills/skill.ts'
import { findIdentifiers, findYears, formOf, isPeriod } from './texts/identifiers.ts'
import { chooseSentences, splitSentences } from './texts/summary.ts'

/** Maximum sentences of an answer, and of a list. */
const MOST = 3
const LISTED = 60
/** Minimum share of the question, weighted by the rarity of its words, that the passage of a sentence contains. */
const LEAST = 0.5
/** Minimum score of further sentences, relative to the best. */
const NEAR = 0.6

type Candidate = {
  number: number
  sentence: string
  own: Set<string>
  around: Set<string>
  /** Identifiers that it is about: its own, or those of earlier sentences. */
  names: string[]
  /** Years in the sentence, or in its passage when it names none. */
  years: string[]
  score: number
}

/** Returns the sentences of passages that best match the question, each with its number; null when none matches enough. */
export function answerFromPassages(asked: string, passages: readonly ToldPassage[]): Answer | null {
  const candidates = keepNamed(asked, passages.flatMap(readPassage))
  const words = [...new Set(stemsOf(asked))].filter((word) => !ASKING.has(word))
  if (isSummaryWanted(asked)) return summarise(asked, words, candidates)
  const isNamed = findIdentifiers(asked).length > 0
  if (words.length === 0) return isNamed ? tell(candidates.slice(0, MOST)) : null
  const rarity = new Map(words.map((word) => [word, rarityOf(word, candidates)]))
  const sum = (list: Set<string>) =>
    words.reduce((all, word) => all + (list.has(word) ? (rarity.get(word) ?? 0) : 0), 0)
  const whole = words.reduce((all, word) => all + (rarity.get(word) ?? 0), 0)
  const scored = candidates
    .map((one) => ({ ...one, score: (0.75 * sum(one.own) + 0.25 * sum(one.around)) / whole }))
    .filter(({ own, around }) => sum(own) > 0 && sum(around) / whole >= LEAST)
    .sort((a, b) => b.score - a.score)
  const best = scored[0]?.score ?? 0
  // Lists keep the order of the documents.
  if (asksForAll(asked)) return tell(candidates.filter((one) => scored.some(isSame(one))).slice(0, LISTED))
  if (scored.length === 0 && isNamed) return tell(candidates.slice(0, MOST))
  const chosen = scored.filter(({ score }) => score >= NEAR * best)
  const dated = isNamed && WHEN.test(asked) && !chosen.some(isDated) ? candidates.filter(isDated) : []
  return tell([...chosen, ...dated].slice(0, MOST))
}

/** A question for a date. The date may be in another sentence than the subject. */
const WHEN = /(?<!\p{L})(?:when|what date|by what day|quand|à quelle date|quel jour)(?!\p{L})/iu
const isDated = ({ sentence }: Candidate) =>
  /(?<![\p{L}\d-])\d{1,2}(?:er|st|nd|rd|th)?\s\p{L}{3,10}|\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}|\p{L}{3,10}\s\d{1,2},\s\d{4}/u.test(
    sentence,
  )

/** Summarizes the sentences about the words, or all sentences when the words name no subject. */
function summarise(asked: string, words: string[], candidates: readonly Candidate[]): Answer | null {
  const own = candidates.filter(({ around }) => words.some((word) => around.has(word)))
  if (own.length > 0) return tell(chooseBest(own))
  return words.length > 0 && ABOUT.test(asked) ? null : tell(chooseBest(candidates))
}
const ABOUT = /(?<!\p{L})(?:about|regarding|concerning|sur|concernant|au sujet)(?!\p{L})/iu

/** Keeps the candidates about the order, period or year that the question names. */
function keepNamed(asked: string, candidates: readonly Candidate[]): Candidate[] {
  const names = findIdentifiers(asked)
  const kept = candidates.filter(({ names: own }) => names.every((name) => own.includes(name)))
  const years = names.length > 0 ? [] : findYears(asked)
  const ofYear = kept.filter(({ years: own }) => years.every((year) => own.includes(year)))
  if (years.length === 0 || ofYear.length > 0) return ofYear
  // A statement about another year is no answer.
  return kept.filter(({ years: own }) => own.length === 0)
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
  const [all, yearsAround] = [findIdentifiers(text), findYears(text)]
  const isAlone = (name: string) => !all.some((other) => other !== name && formOf(other) === formOf(name))
  // An identifier in a title applies until another of its form appears; a period applies to its own sentence only.
  let held = all.filter((name) => !isPeriod(name) && isAlone(name))
  return splitSentences(belowTitles(text)).map((sentence) => {
    const said = findIdentifiers(sentence)
    held = held.filter((name) => !said.some((other) => formOf(other) === formOf(name)))
    const names = [...held, ...said]
    held = names.filter((name) => !isPeriod(name))
    const years = findYears(sentence)
    return {
      ...{ number, sentence, around, names, score: 0 },
      years: years.length > 0 ? years : yearsAround,
      own: new Set(stemsOf(sentence)),
    }
  })
}

/** A title has no end of a sentence and no digits. */
const TITLE = /^[^\d:.!?…;,[\]]{1,80}$/

/** Returns a passage without its leading titles when a sentence follows. They are not part of that sentence. */
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
    // A note already contains the number.
    return line.includes(`[${number}]`) ? line : `${line} [${number}]`
  })
  if (lines.length === 0) return null
  return { text: lines.length === 1 ? lines.join('') : lines.map((line) => `- ${line}`).join('\n') }
}

/** Inflected forms of a word share their first letters. */
function stemsOf(text: string): string[] {
  return contentWords(text).map((word) => word.replace(/(?:ing|ed|es|s|e)$/, '').slice(0, 5))
}

/** Words in which a question refers to itself. */
const ASKING = new Set(
  stemsOf(
    'documents document files fichiers dossier tell explain search find passages according list name count compare enumerate ' +
      'liste lister enumere recense combien chaque summarise summarize summary resume resumer synthese year annee happened passe',
  ),
)
