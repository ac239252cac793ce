import { findWrongNumbers, isClaimed, readNumbers, withoutNumbers } from './check-numbers.ts'
import { findMarkers, withoutCitations } from './citation-tags.ts'
import { resolveNouns } from './clauses.ts'
import { beginsWithMonth } from './dates.ts'
import type { Doubt } from './doubts.ts'
import { findReversed } from './polarity.ts'
import { remember } from './remember.ts'
import { findSwapped } from './roles.ts'
import { canonicalWord } from './synonyms.ts'
import { fold, languageOf } from './text-language.ts'

/** A sentence is supported when so many of its content words stand in the passages it cites. */
export const SUPPORT_LEAST = 0.41
/** Numbers that stand in the passage are support of their own. */
const SUPPORT_WITH_NUMBERS = 0.2
/** A shorter sentence is too short to compare by its words. */
const SUPPORT_WORDS = 2
/** A sentence with fewer content words claims nothing. */
const CLAIM_WORDS = 4
const WORD_LEAST = 4

/**
 * Returns the sentences that their passages do not support. Compares word stems, so it also doubts paraphrases.
 * For an answer in another language than its passages, check only the numbers (`wordsCount` false).
 */
export function checkAnswer(
  answer: string,
  passages: ReadonlyMap<string, string>,
  { wordsCount = true }: { wordsCount?: boolean } = {},
): Doubt[] {
  const isCiting = findMarkers(answer).length > 0
  const all = [...passages.values()].join('\n')
  const doubts = sentencesOf(answer).flatMap(({ at, text }): Doubt[] => {
    const place = { at, length: text.length }
    const cited = findMarkers(text).map(({ id }) => passages.get(id) ?? '')
    const said = withoutCitations(text)
    const words = contentWords(said)
    if (cited.length === 0) {
      // Passages may support a sentence even when it cites none.
      const isBorneOut = !isCiting && wordsCount && isSupported(said, words, all)
      return isClaim(said, words, isCiting) && !isBorneOut ? [{ kind: 'uncited', ...place, numbers: [] }] : []
    }
    return checkSentence(said, cited.join('\n'), wordsCount).map((doubt) => ({ ...doubt, ...place }))
  })
  return isCiting || !sentencesOf(answer).some(({ text }) => isClaim(text, contentWords(text), false))
    ? doubts
    : [{ kind: 'no_source', at: 0, length: 0, numbers: [] }, ...doubts]
}

const COURTESY =
  /^\W*(?:hello|hi|welcome|thanks?|thank you|sure|certainly|bonjour|bonsoir|salut|merci|bienvenue|hallo|danke|hola|gracias)\b/i

/** Whether a sentence claims something. A name alone is a claim when nothing is cited. */
function isClaim(said: string, words: readonly string[], isCiting: boolean): boolean {
  if (/[?:]\s*$/.test(said)) return false
  const minimum = isCiting ? CLAIM_WORDS : 1
  return hasNumber(said) || (words.length >= minimum && !COURTESY.test(said))
}

function isSupported(said: string, words: readonly string[], source: string): boolean {
  return (
    (words.length === 0 || supportOf(words, source) >= SUPPORT_LEAST) &&
    checkSentence(said, source, true).length === 0
  )
}

/** Returns the doubts about a sentence that cites a source. */
function checkSentence(said: string, text: string, wordsCount: boolean): Pick<Doubt, 'kind' | 'numbers'>[] {
  const source = resolveNouns(text)
  const words = contentWords(withoutNumbers(said))
  const wrong = findWrongNumbers(said, source, wordsCount)
  const isNumbered = (hasNumber(said) || readNumbers(said).quantities.some(isClaimed)) && wrong.length === 0
  const needed = isNumbered ? SUPPORT_WITH_NUMBERS : SUPPORT_LEAST
  const minimum = isNumbered ? CLAIM_WORDS : SUPPORT_WORDS
  const doubts: Pick<Doubt, 'kind' | 'numbers'>[] = []
  if (wordsCount && words.length >= minimum && supportOf(words, source) < needed)
    doubts.push({ kind: 'unsupported', numbers: [] })
  if (wrong.length > 0) doubts.push({ kind: 'numbers', numbers: wrong })
  const isContradicted =
    wordsCount && wrong.length === 0 && isContrary(withoutNumbers(said), withoutNumbers(source))
  if (isContradicted) doubts.push({ kind: 'contradicted', numbers: [] })
  return doubts
}

const isContrary = (said: string, source: string) =>
  findReversed(said, source).length > 0 || findSwapped(said, source).length > 0

const hasNumber = (text: string) => {
  const { dates, quantities } = readNumbers(text)
  return dates.length > 0 || quantities.some(({ text: one }) => /\d/.test(one))
}

const wordsOfSource = remember((source) => {
  const known = new Set(contentWords(source))
  // German joins words: a "Frist" is in a "Kündigungsfrist".
  const german = languageOf(source) === 'de' ? fold(source) : ''
  return { known, stems: new Set([...known].map(stemOf)), german }
})

/** Returns the share of the words that occur in a text. */
export function supportOf(words: readonly string[], source: string): number {
  const { known, stems, german } = wordsOfSource(source)
  const isJoined = (word: string) => word.length >= 5 && german.includes(word)
  return (
    words.filter((word) => known.has(word) || stems.has(stemOf(word)) || isJoined(word)).length / words.length
  )
}

/** "lifted", "lifts" and "lift" are one, as are "swim" and "swimming". */
const stemOf = (word: string) => word.replace(/(?<=\p{L}{4})(?:m?mi|ing?|e[ds]?|e[nr]|s|t)$/u, '').slice(0, 5)

/** Returns the stems of content words, so that inflected forms are equal. */
export function contentWords(text: string): string[] {
  const folded = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  return (folded.match(/\p{L}+/gu) ?? [])
    .filter((word) => word.length >= WORD_LEAST && !EMPTY_WORDS.has(word))
    .map((word) => canonicalWord(word).slice(0, 6))
}

const EMPTY_WORDS = new Set(
  (
    'charge cargo corre corren ' +
    'never neither none cannot aucun aucune jamais kein keine keinen nicht ningun ninguna ' +
    'about above after again also although another because been before being below between both came come could does doing down during each ' +
    'even every from further have having here hers into itself just like made make many more most much must only other ours over same ' +
    'shall should since some such than that their theirs them then there these they this those through under until upon very want were ' +
    'what when where which while whom with within without would your yours according therefore however ' +
    'ainsi alors apres aussi autre autres avant avec avoir cela celle celles celui ceux cette chez comme dans depuis donc elle elles encore ' +
    'entre est etait etaient etre eux fait ils leur leurs lors lorsque mais meme memes nous notre nos par parce pendant peut plus plusieurs ' +
    'pour pourquoi quand quel quelle quelles quels sans selon sera seront ses si sont sous sur tous tout toute toutes tres une votre vous'
  ).split(' '),
)

type Sentence = { at: number; text: string }

const SEGMENTER = new Intl.Segmenter('und', { granularity: 'sentence' })

/** Splits an answer into sentences with their markers. Lines of lists and tables count as sentences; code is skipped. */
export function sentencesOf(answer: string): Sentence[] {
  const sentences: Sentence[] = []
  let isCode = false
  let at = 0
  for (const line of answer.split('\n')) {
    const start = at
    at += line.length + 1
    if (/^\s*(?:```|~~~)/.test(line)) isCode = !isCode
    else if (!isCode && !/^\s*#{1,6}\s|^[\s:|-]+$/.test(line)) sentences.push(...sentencesOfLine(line, start))
  }
  return sentences
}

function sentencesOfLine(line: string, start: number): Sentence[] {
  const begin = /^\s*(?:[-*+]|\d{1,3}[.)])\s+/.exec(line)?.[0].length ?? 0
  // Markers are blanked: a marker after a full stop belongs to the sentence before it.
  const blank = findMarkers(line).reduce(
    (text, { at, length }) => text.slice(0, at) + ' '.repeat(length) + text.slice(at + length),
    line,
  )
  return segmentsOf(blank.slice(begin))
    .map(({ segment, index }) => ({
      at: start + begin + index,
      text: line.slice(begin + index, begin + index + segment.length).trimEnd(),
    }))
    .filter(({ text }) => /[\p{L}\p{N}]/u.test(withoutCitations(text)))
}

const ABBREVIATION =
  /(?:^|[\s(])(?:mio|mrd|tsd|ca|nr|no|art|abs|bzw|p|pp|approx|vs|dr|mr|mrs|ms|env|st|co|inc|ltd|vol|fig|sr|sra|núm)\.\s*$/iu

/** Returns whether an ordinal such as "10." in German counts this text. */
const isCounted = (text: string) =>
  beginsWithMonth(text) || /^(?:Quartal|Jahrhundert|Tag|Platz|Auflage|Lebensjahr|Stock)/.test(text)

/** Sentences; an abbreviation or an ordinal ends none. */
function segmentsOf(text: string): { segment: string; index: number }[] {
  const joined: { segment: string; index: number }[] = []
  for (const { segment, index } of SEGMENTER.segment(text)) {
    const last = joined.at(-1)
    const isOrdinal = last && /(?<!\d)\d{1,2}\.\s*$/.test(last.segment) && isCounted(segment)
    if (last && (isOrdinal || ABBREVIATION.test(last.segment))) last.segment += segment
    else joined.push({ segment, index })
  }
  return joined
}
