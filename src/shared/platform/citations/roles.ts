import { type Clause, clausesOf, overlapOf } from './clauses.ts'
import { fold } from './text-language.ts'

const PASSIVE =
  /\b(?:is|are|was|were|be|been|being)\b.{0,80}\bby\b|\b(?:est|sont|etait|etaient|ete|sera)\b.{0,80}\bpar\b|\b(?:wird|werden|wurde|wurden|worden)\b.{0,80}\b(?:von|durch)\b|\b(?:es|son|fue|fueron|sido|sera)\b.{0,80}\bpor\b/
const PARTICIPLE =
  /\b(?:is|are|was|were|been|be)\s(?:not\s)?(?:\w+(?:ed|en|wn)|made|held|paid|sold|bought|sent|kept|left|built|done)\b|\b(?:est|sont|etait|ete|sera|seront)\s\w+(?:e|ee|es|ees|i|is|u|us)\b|\b(?:wird|werden|wurde|wurden)\b|\b(?:es|son|fue|fueron|sera)\s\w+(?:ado|ada|ados|adas|ido|ida|idos|idas)\b/
const MAX_SHARED = 0.75

/** Returns clauses of a sentence with subject and object swapped, or with the subject of another clause in the source. */
export function findSwapped(said: string, source: string): string[] {
  const known = clausesOf(source).map(withoutTimes)
  return clausesOf(said)
    .map(withoutTimes)
    .flatMap((clause) => {
      const ranked = known
        .map((other) => ({ other, share: overlapOf(clause, other) }))
        .sort((a, b) => b.share - a.share)
      const best = ranked[0]
      if (!best) return []
      const near = ranked.filter(({ share }) => share >= best.share - 0.01).map(({ other }) => other)
      const isWrong = (other: Clause) => isExchanged(clause, other) || hasOtherSubject(clause, other, source)
      return near.every(isWrong) ? [clause.text.trim()] : []
    })
}

/** Returns whether the first word and a later one are swapped around shared words. */
function isExchanged(said: Clause, known: Clause): boolean {
  if (isReceiver(said, known)) return true
  if (overlapOf(said, known) < MAX_SHARED) return false
  const shared = [...new Set(said.words.filter((word) => known.words.includes(word)))]
  if (shared.length < 3) return false
  const [subject = ''] = shared
  const order = [...shared].sort((a, b) => known.words.indexOf(a) - known.words.indexOf(b))
  if (said.words[0] !== subject) return false
  const isOtherVoice = PASSIVE.test(fold(said.text)) !== PASSIVE.test(fold(known.text))
  // A passive without an agent does not say who acts.
  const isAgentless = [said, known].some(
    ({ text }) => PARTICIPLE.test(fold(text)) && !PASSIVE.test(fold(text)),
  )
  if (isAgentless) return false
  const verbs = shared.slice(1, -1)
  const at = order.indexOf(subject)
  if (isOtherVoice) return at === 0 && order.length >= 3 && verbs.some((verb) => order.indexOf(verb) === 1)
  const later = shared.slice(1).filter((word) => order.indexOf(word) < at)
  // Only the two ends are swapped; the verb between them stays in place.
  return (
    later.length >= 1 &&
    verbs.some((verb) => order.indexOf(verb) > 0 && order.indexOf(verb) < at) &&
    order[0] !== subject &&
    order.indexOf(later.at(-1) ?? '') < order.indexOf(verbs[0] ?? '')
  )
}

/** Returns whether the rest of the clause has another subject in the source, while this subject occurs elsewhere there. */
function hasOtherSubject(said: Clause, known: Clause, source: string): boolean {
  const [subject, ...rest] = said.words
  const [owner] = known.words
  if (!subject || !owner || rest.length < 2 || known.words.includes(subject) || said.words.includes(owner))
    return false
  const isElsewhere = clausesOf(source).some(({ words }) => words[0] === subject)
  const shared = rest.filter((word) => known.words.includes(word)).length
  return isElsewhere && shared >= 2 && shared / rest.length >= MAX_SHARED
}

const RECEIVER = /\b(?:to|al?|aux?|an|dem|den)\s+(?:the\s|la\s|le\s|l['’]|el\s|los\s|les\s)?(\p{L}+)/gu
const receiversOf = ({ text }: Clause) =>
  Array.from(fold(text).matchAll(RECEIVER), ([, word = '']) => word.slice(0, 5))

/** Returns whether the subject of a clause is the recipient in the source. */
function isReceiver(said: Clause, known: Clause): boolean {
  const [subject = ''] = said.words
  if (PASSIVE.test(fold(said.text)) || PASSIVE.test(fold(known.text)) || known.words[0] === subject)
    return false
  const shared = said.words.slice(1).filter((word) => known.words.includes(word))
  const isGiven = receiversOf(known).includes(subject) && !receiversOf(said).includes(subject)
  return isGiven && receiversOf(said).length > 0 && shared.length >= 2
}

const TIMES = new Set(
  'every each quart month week weeks year years day days daily annua monat woche wochen jahr tag chaqu mois semai annee cada mes seman'.split(
    ' ',
  ),
)
/** A time at the head of a clause is not its subject. */
const withoutTimes = ({ text, words }: Clause): Clause => ({
  text,
  words: words.filter((word) => !TIMES.has(word)),
})
