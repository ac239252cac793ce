import { type Clause, clausesOf, hasFirstWord, overlapOf, stemsOf } from './clauses.ts'
import { isConverse } from './polarity.ts'
import { remember } from './remember.ts'
import { fold, languageOf } from './text-language.ts'

const PASSIVE =
  /\b(?:is|are|was|were|be|been|being)\b.{0,80}\bby\b|\b(?:est|sont|etait|etaient|ete|sera)\b.{0,80}\bpar\b|\b(?:a la charge d|incombe|a cargo d|obliegt)|\b(?:wird|werden|wurde|wurden|worden)\b.{0,80}\b(?:vom?|durch)\b|\b(?:es|son|esta|estan|fue|fueron|sido|sera)\b.{0,80}\bpor\b/
const PARTICIPLE =
  /\b(?:is|are|was|were|been|be)\s(?:not\s)?(?:\w+(?:ed|en|wn)|made|held|paid|sold|bought|sent|kept|left|built|done)\b|\b(?:est|sont|etait|ete|sera|seront)\s\w+(?:e|ee|es|ees|i|is|u|us)\b|\b(?:wird|werden|wurde|wurden)\b|\b(?:es|son|esta|estan|fue|fueron|sera)\s\w+(?:ado|ada|ados|adas|ido|ida|idos|idas)\b/
const MOST_SHARED = 0.75

/** Clauses of a sentence whose subject and object stand in each other's place, or whose subject is another one's in the source. */
export function findSwapped(said: string, source: string): string[] {
  const known = timelessClauses(source)
  return clausesOf(said)
    .map(withoutTimes)
    .flatMap((clause) => {
      const ranked = known
        .map((other) => ({ other, share: overlapOf(clause, other) }))
        .sort((a, b) => b.share - a.share)
      const best = ranked[0]
      // "… and the southern plant 9,750 tonnes" leaves the verb out.
      const isElliptic = known.some(
        ({ words, inherited }) =>
          inherited !== null &&
          words[0] === clause.words[0] &&
          words.length < clause.words.length &&
          words.every((word) => clause.words.includes(word)),
      )
      if (!best || isElliptic) return []
      const near = ranked.filter(({ share }) => share >= best.share - 0.01).map(({ other }) => other)
      const isWrong =
        near.every((other) => isExchanged(clause, other, known) || hasOtherSubject(clause, other, source)) ||
        nearestByRest(clause, known).every((other) => hasOtherSubject(clause, other, source))
      const isOther =
        isWrong ||
        known.some((other) => isReceiver(clause, other)) ||
        isSpliced(clause, known) ||
        isOtherName(clause, known) ||
        isOtherAgent(clause, known) ||
        hasOtherPlace(clause, known)
      return isOther ? [clause.text.trim()] : []
    })
}

const languageIn = remember(languageOf)

/** Returns a clause without a subject with that of its sentence. */
const withSubject = (clause: Clause): Clause =>
  clause.inherited === null ||
  hasFirstWord(clause.text) ||
  hasOwnSubject(clause) ||
  NO_SUBJECT.test(clause.text)
    ? clause
    : { ...clause, words: [clause.inherited, ...clause.words] }

/** Words of the name that a clause begins with. */
const nameAhead = ({ text }: Clause) => stemsOf(/^\s*(?:\p{Lu}[\p{L}.]*\s?){2,4}/u.exec(text)?.[0] ?? '')

/** Returns whether the source says of others only what a named person does here. */
function isOtherName(said: Clause, known: readonly Clause[]): boolean {
  const name = nameAhead(said)
  const verb = said.words[name.length]
  if (name.length < 2 || verb === undefined || PASSIVE.test(fold(said.text))) return false
  const has = ({ words }: Clause) => name.some((word) => words.includes(word))
  const same = known.filter(({ words }) => words.includes(verb))
  const isActive = ({ text }: Clause) => !PASSIVE.test(fold(text)) && !PARTICIPLE.test(fold(text))
  return (
    known.some(has) &&
    same.length > 0 &&
    same.every((one) => nameAhead(one).length >= 2 && !has(one) && isActive(one))
  )
}

const AGENT =
  /(?<!\p{L})(?:by|par|von|vom|durch|por)\s(?:(?:the|an?|les?|la|l['’]|un|une|der|dem|den|das|die|einem?r?|el|los|las|una)\s?)?(\p{L}+)/u
const agentOf = ({ text }: Clause) =>
  PASSIVE.test(fold(text)) ? stemsOf(AGENT.exec(text)?.[1] ?? '')[0] : undefined

/** Returns whether a passive clause and an active one name different agents of the same verb. */
function isOtherAgent(said: Clause, known: readonly Clause[]): boolean {
  const isActor = (word: string) => known.some((one) => one.words[0] === word || agentOf(one) === word)
  const agent = agentOf(said)
  const [subject = '', verb = ''] = said.words
  if (agent === undefined) {
    const same = known.filter(
      ({ words }) =>
        words.includes(verb) && words.some((word) => word !== verb && said.words.slice(2).includes(word)),
    )
    const isOther = (one: Clause) => {
      const other = agentOf(one)
      return other !== undefined && !said.words.includes(other) && !one.words.includes(subject)
    }
    return (
      hasOwnSubject(said) &&
      said.words.length >= 3 &&
      isActor(subject) &&
      same.length > 0 &&
      same.every(isOther)
    )
  }
  const same = known.filter(
    ({ words }) =>
      words.includes(subject) &&
      words.some((word) => word !== subject && word !== agent && said.words.includes(word)),
  )
  const isOther = (one: Clause) =>
    hasOwnSubject(one) &&
    agentOf(one) === undefined &&
    !PARTICIPLE.test(fold(one.text)) &&
    !one.words.includes(agent) &&
    !said.words.includes(one.words[0] ?? '') &&
    one.words.indexOf(subject) > 1
  return isActor(agent) && same.length > 0 && same.every(isOther)
}

const PLACE =
  /(?<!\p{L})(in|at|to|from|near|by|with|à|en|de|par|avec|nach|aus|von|vom|an|mit|a|hacia|por|con)\s(\p{Lu}\p{L}{2,})/gu
const placesOf = (text: string) =>
  Array.from(text.matchAll(PLACE), ([, lead = '', name = '']) => ({ lead, name: stemsOf(name)[0] ?? '' }))

/** Returns whether a clause differs from its source only by the place: "born in Vigo" for "born in Graz". */
function hasOtherPlace(said: Clause, known: readonly Clause[]): boolean {
  return placesOf(said.text).some(({ lead, name }) => {
    const rest = said.words.filter((word) => word !== name)
    if (rest.length < 2 || !known.some(({ words }) => words.includes(name))) return false
    const same = known.map(withSubject).filter(({ words }) => rest.every((word) => words.includes(word)))
    return (
      same.length > 0 &&
      same.every(
        ({ words, text }) =>
          !words.includes(name) &&
          placesOf(text).some((other) => other.lead === lead && !said.words.includes(other.name)),
      )
    )
  })
}

/** Returns the clauses whose predicates share the most words with this one's. */
function nearestByRest(said: Clause, known: readonly Clause[]): Clause[] {
  const words = said.words.slice(1)
  const rest = { ...said, words }
  const best = Math.max(...known.map((other) => overlapOf(rest, other)))
  return known.filter((other) => overlapOf(rest, other) === best)
}

/** The first and a later word exchange their order around the words both clauses share. */
function isExchanged(said: Clause, known: Clause, source: readonly Clause[]): boolean {
  if (isReceiver(said, known) || isElidedObject(said, known, source)) return true
  return isNameOrder(said, known) || isReordered(said, known) || isReordered(said, withSubject(known))
}

/** "The first to measure it was Clara Voss" names who acts at its end. */
const CLEFT = /(?<!\p{L})(?:was|were|is|fut|était|est|war|ist|fue|es)\s(?:\p{Lu}\p{L}+\s?){1,4}[.\s]*$/u
const NAMES = /(?<!\p{L})\p{Lu}\p{L}{1,30}(?:\s\p{Lu}\p{L}{1,30}){1,3}/gu

/** Returns whether two names are exchanged, with the same words between them. */
function isNameOrder(said: Clause, known: Clause): boolean {
  if (overlapOf(said, known) < MOST_SHARED || isConverse(said.text, known.text)) return false
  if (PASSIVE.test(fold(said.text)) !== PASSIVE.test(fold(known.text))) return false
  const [first, second] = Array.from(said.text.matchAll(NAMES), ([name]) => name)
  if (!first || !second || first === second) return false
  const between = ({ text }: Clause, a: string, b: string) =>
    text.includes(a) && text.includes(b)
      ? stemsOf(text.slice(text.indexOf(a) + a.length, text.indexOf(b)))
      : []
  const [own, other] = [between(said, first, second), between(known, second, first)]
  return own.some((word) => other.includes(word))
}

function isReordered(said: Clause, known: Clause): boolean {
  if (overlapOf(said, known) < MOST_SHARED || CLEFT.test(said.text)) return false
  const shared = [...new Set(said.words.filter((word) => known.words.includes(word)))]
  if (shared.length < 3) return false
  const [subject = ''] = shared
  const order = [...shared].sort((a, b) => known.words.indexOf(a) - known.words.indexOf(b))
  if (isObjectFirst(said.text, known)) return false
  if (said.words[0] !== subject || NO_SUBJECT.test(said.text) || isConverse(said.text, known.text))
    return false
  const isOtherVoice = PASSIVE.test(fold(said.text)) !== PASSIVE.test(fold(known.text))
  // Without the one who acts, a passive does not tell who does what.
  const isAgentless = [said, known].some(
    ({ text }) => PARTICIPLE.test(fold(text)) && !PASSIVE.test(fold(text)),
  )
  if (isAgentless) return false
  const verbs = shared.slice(1, -1)
  const at = order.indexOf(subject)
  // In German the verb stands at the end of a passive.
  if (isOtherVoice) return at === 0 && order.length >= 3 && verbs.some((verb) => order.indexOf(verb) > 0)
  const later = shared.slice(1).filter((word) => order.indexOf(word) < at)
  // The verb between them stays where it is: only the two ends have changed.
  return (
    later.length >= 1 &&
    verbs.some((verb) => order.indexOf(verb) > 0 && order.indexOf(verb) < at) &&
    order[0] !== subject &&
    order.indexOf(later.at(-1) ?? '') < order.indexOf(verbs[0] ?? '')
  )
}

/** An object stands first: "Teile tauscht der Hersteller aus", "La comunidad la paga el propietario". */
function isObjectFirst(text: string, known: Clause): boolean {
  const [said, owner = ''] = [fold(text), known.words[0]]
  const first = /^\s*(?:der|die|das)\s(\p{L}+)/u.exec(said)?.[1]
  // "Dem Verein" in the source makes "der Verein" a subject.
  const objects = Array.from(
    fold(known.text).matchAll(/\b(?:dem|den)\s(\p{L}{1,40})/gu),
    ([, word = '']) => word,
  )
  if (first && objects.some((word) => word.startsWith(first))) return false
  return (
    Array.from(said.matchAll(/\sder\s(\p{L}+)/gu)).some(([, word = '']) => word.startsWith(owner)) ||
    /^\s*(?:el|la|los|las)\s\p{L}+\s(?:lo|la|los|las)\s\p{L}+/iu.test(text)
  )
}

/** The subject of a clause is the object of a verb whose subject the source leaves out: "… and notifies the seller". */
function isElidedObject(said: Clause, known: Clause, source: readonly Clause[]): boolean {
  const [subject = '', verb = '', object = ''] = said.words
  if (known.inherited === null || hasOwnSubject(known) || NO_SUBJECT.test(known.text)) return false
  if (known.words[0] !== verb || known.words[1] !== subject || subject === known.inherited) return false
  if (known.words.includes(object) || !source.some(({ words }) => words.includes(object))) return false
  return ![said, known].some(({ text }) => PASSIVE.test(fold(text)) || PARTICIPLE.test(fold(text)))
}

/** The rest of the clause is said of another subject, and this one stands elsewhere in the source. */
function hasOtherSubject(said: Clause, known: Clause, source: string): boolean {
  const [subject, ...rest] = said.words
  const [owner] = known.words
  if (!subject || !owner || rest.length < 2 || known.words.includes(subject) || said.words.includes(owner))
    return false
  // Spanish leaves a pronoun out.
  const isElided = languageIn(source) === 'es' && !hasOwnSubject(known)
  if (NO_SUBJECT.test(known.text) || isElided) return false
  const clauses = clausesOf(source)
  const share = rest.filter((word) => known.words.includes(word)).length / rest.length
  if (clauses.some(({ words }) => words[0] === subject))
    return share >= MOST_SHARED && share * rest.length >= 2
  return share === 1 && hasOwnSubject(known) && clauses.some(({ words }) => words.includes(subject))
}

const NO_SUBJECT =
  /^\s*(?:(?:it|he|she|they|this|these|that|we|you|il|elle|ils|elles|ce|cela|on|nous|vous|er|sie|es|wir|ihr|dies\w*|ella|ellos|ellas|esto|in|on|at|by|for|if|when|after|before|since|en|dans|si|quand|pour|im|am|um|ab|gegen|auf|fur|für|bei|wenn|nach|vor|seit|para|cuando|there|no|not|only|also)\s|\d)/iu
const DETERMINED =
  /^\s*(?:(?:the|an?|each|every|les?|la|une?|chaque|der|die|das|den|eine?|jede\w*|el|los|las|una?|cada)\s|l['’])/iu
const NAMED = /^\s*\p{Lu}\p{L}+\s\p{Lu}/u
const hasOwnSubject = ({ text }: Clause) =>
  (DETERMINED.test(text) || NAMED.test(text)) && !NO_SUBJECT.test(text)

/** Its subject has a clause of its own in the source, and the rest is said only of another subject. */
function isSpliced(said: Clause, known: readonly Clause[]): boolean {
  const [subject] = said.words
  if (!subject || PASSIVE.test(fold(said.text))) return false
  const own = known.filter(({ words }) => words[0] === subject)
  // "Miete" and "Mieter" begin alike.
  const isUnclear = own.some(({ words }) => words.lastIndexOf(subject) > 0)
  if (own.length === 0 || isUnclear) return false
  const named = known.filter(hasOwnSubject)
  const foreign = named.filter(({ words }) => words[0] !== subject && !words.includes(subject))
  const isIn = (some: readonly Clause[], word: string) => some.some(({ words }) => words.includes(word))
  const rest = known.filter((clause) => !foreign.includes(clause))
  const only = said.words.filter((word) => !LIGHT.has(word) && isIn(foreign, word) && !isIn(rest, word))
  const ownWords = said.words
    .slice(NAMED.test(said.text) ? 2 : 1)
    .filter((word) => isIn(own, word) && !isIn(foreign, word))
  return only.length > 0 && ownWords.length === 0 && said.words.every((word) => isIn(known, word))
}

/** Verbs that say nothing by themselves. */
const LIGHT = new Set('betra belau amoun eleve ascie gilt tiene becom wurde remai'.split(' '))

const RECEIVER =
  /\b(?:to|al?|aux?|an|dem|den)\s+(?:the\s|das\s|die\s|den\s|dem\s|der\s|la\s|le\s|l['’]|el\s|los\s|les\s)?(\p{L}+)/gu
const receiversOf = ({ text }: Clause) =>
  Array.from(fold(text).matchAll(RECEIVER), ([, word = '']) => word.slice(0, 5))

/** The subject of a clause receives in the source what it gives here. */
function isReceiver(said: Clause, known: Clause): boolean {
  const [subject = ''] = said.words
  if (PASSIVE.test(fold(said.text)) || PASSIVE.test(fold(known.text)) || known.words[0] === subject)
    return false
  if (isConverse(said.text, known.text)) return false
  const shared = said.words.slice(1).filter((word) => known.words.includes(word))
  const isGiven = receiversOf(known).includes(subject) && !receiversOf(said).includes(subject)
  // "… and shows them to the inspector" leaves out who shows what.
  if (isGiven && known.inherited !== null && receiversOf(said).includes(known.inherited))
    return shared.length >= 1
  return isGiven && receiversOf(said).length > 0 && shared.length >= 2
}

const TIMES = new Set(
  'every each quart month week weeks year years day days daily annua monat woche wochen jahr tag chaqu mois semai annee cada mes seman'.split(
    ' ',
  ),
)
/** A time at the head of a clause is not its subject. */
const withoutTimes = ({ words, ...clause }: Clause): Clause => ({
  ...clause,
  words: words.filter((word) => !TIMES.has(word)),
})

const timelessClauses = remember((text) => clausesOf(text).map(withoutTimes))
