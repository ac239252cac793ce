import { type Clause, clausesOf, hasFirstWord, overlapOf, PREFIXED, stemsOf } from './clauses.ts'
import { fold } from './text-language.ts'

const AT_MOST =
  /\b(?:no later than|no longer than|not longer than|not later than|no more than|not more than|(?:does|do|may|must|shall|cannot)(?: not)? exceed|not exceeding|at most|up to|au plus|au maximum|pas plus de|ne (?:depasse pas|(?:doi\w*|peu\w*) pas depasser)|au plus tard|hochstens|maximal|nicht (?:uberschreiten|ubersteigen)|nicht mehr als|spatestens|no (?:\w+ )?(?:superar?|exceder?|supera|excede)|como maximo|a lo sumo|no mas de|a mas tardar)\b/g
const AT_LEAST =
  /\b(?:no less than|no earlier than|not earlier than|not less than|no fewer than|at least|au moins|au minimum|pas moins de|au plus tot|mindestens|fruhestens|nicht fruher als|nicht weniger als|al menos|por lo menos|como minimo|no menos de)\b/g
const NOT_ONLY = /\b(?:not only|non seulement|pas seulement|nicht nur|no solo)\b/g
const NEGATORS =
  /\b(?:not|never|no|none|nobody|nothing|cannot|neither|nor|without|forbidden|prohibited|prohibits?|forbids?|bann\w*|proscri\w*|gesperrt\w*|refuse[sd]?|unable|fail(?:s|ed) to|lacks?|pas|jamais|nullement|aucunement|aucune?|rien|ni|sans|non|interdite?s?|interdit|nicht|keine?[nrms]?|nie|niemals|niemand|nichts|nirgends|keinesfalls|keineswegs|ohne|verboten|untersagt|weder|nunca|jamas|nada|sin|ningune?|ninguna|nadie|tampoco|prohib\w+|exclu\w*|exempt\w*|exonere\w*|dispense\w*|befreit\w*|exent[oa]s?|ausgeschlossen|ausschlie\w*|absence|absent|abwesen\w*|ausencia|missing|outstanding|pending|fehl(?:t|en|te|ten)|manque\w*|falta[n]?)\b|n['’]t\b/g

const TIMES: [RegExp, RegExp] = [
  /\b(?:before|prior to|avant|vor|bevor|antes)\b/,
  /\b(?:after|following|apres|nach|nachdem|despues)\b/,
]

/** Words that say the opposite of each other, by their beginnings. */
const OPPOSITES: [RegExp, RegExp][] = [
  [
    /\b(?:(?:increas|rais|augment|rose|rise|grew|grow|climb|gain|augment|progress|hauss|gestieg|steig|stieg|wuchs|gewachs|erhoh|zugenomm|aument|subi|crec)\w*)\b/,
    /\b(?:(?:decreas|fell|fall|drop|declin|shrank|shrink|reduc|lower|cut|diminu|baiss|recul|chut|gesunk|sank|sink|fiel|gefall|gesenk|abgenomm|disminu|baj|cay)\w*)\b/,
  ],
  TIMES,
  [
    /\b(?:above|over|exceed\w*|au-dessus|uber|oberhalb|encima)\b/,
    /\b(?:below|under|au-dessous|unter|unterhalb|debajo)\b/,
  ],
  [
    /\b(?:advanc\w*|avanc\w*|avanz\w*|vorruck\w*)\b/,
    /\b(?:retreat\w*|reced\w*|recul\w*|retroced\w*|zuruckg\w*)\b/,
  ],
  [
    /\b(?:improv\w*|amelior\w*|verbesser\w*|mejor\w*)\b/,
    /\b(?:worse\w*|deteriorat\w*|empir\w*|verschlechter\w*|empeor\w*)\b/,
  ],
  [/\b(?:always|toujours|immer|siempre)\b/, /\b(?:rarely|seldom|rarement|selten|rara vez|raramente)\b/],
  [/\b(?:maxbound|maxim\w*)\b/, /\b(?:minbound|minim\w*)\b/],
  [/\b(?:profits?|benefices?|gewinn\w*|beneficios?)\b/, /\b(?:loss\w*|pertes?|verlust\w*|perdidas?)\b/],
  [
    /\b(?:mandatory|compulsory|required|obligat\w*|vorgeschrieben|pflicht)\b/,
    /\b(?:optional|voluntary|facultati\w*|freiwillig|opcional\w*|voluntari\w*)\b/,
  ],
  [
    /\b(?:accept\w*|adopt\w*|approv\w*|approuv\w*|genehmigt\w*|angenommen|aprob\w*|acept\w*)\b/,
    /\b(?:reject\w*|rejet\w*|abgelehnt|rechaz\w*|denied)\b/,
  ],
  [/\b(?:open\w*|ouvert\w*|offen|geoffnet|abiert\w*)\b/, /\b(?:closed?|ferme\w*|geschlossen|cerrad\w*)\b/],
  [
    /\b(?:higher|more than|plus eleve\w*|hoher|mas alt\w*)\b/,
    /\b(?:less than|plus faible\w*|niedriger|geringer|mas baj\w*)\b/,
  ],
  [/\b(?:valid|valable|gultig|valid[oa])\b/, /\b(?:invalid\w*|void|nul|ungultig|nul[oa])\b/],
  [
    /\b(?:free|gratuite?s?|gratuitement|kostenlos\w*|gratis)\b/,
    /\b(?:pays?|paid|paie\w*|paye\w*|zahl\w*|bezahl\w*|pagan?)\b/,
  ],
  [
    /\b(?:strengthen\w*|intensif\w*|renforc\w*|verstark\w*|refuerz\w*|reforz\w*)\b/,
    /\b(?:weaken\w*|affaibl\w*|attenu\w*|(?:ab)?(?:ge)?schwach\w*|debilit\w*)\b/,
  ],
  [
    /\b(?:whole|entire(?:ly|ty)?|all|totalite|totalidad|integralite|entierement|totalement|vollstandig\w*|samtlich\w*|gesamte?[nrs]?|totalmente|enteramente)\b/,
    /\b(?:half|part|partly|partially|(?:un|deux) tiers|third|moitie|en partie|partiellement|halfte|teilweise|drittel|mitad|partes iguales|en parte|parcialmente|ubrigen)\b/,
  ],
  [/\b(?:in favou?r|en faveur|dafur|zugunsten|a favor)\b/, /\b(?:against|contre|dagegen|en contra)\b/],
]

/** Pairs that say the same with their subjects exchanged: a buys from b, b sells to a. */
const CONVERSE: [RegExp, RegExp][] = [
  [
    /\b(?:taller|longer|larger|bigger|older|faster|heavier|plus (?:grand|haut|long|vieux|rapide|lourd)\w*|grosser|langer|alter|schneller|schwerer|mas (?:grand|alt|larg|rapid|pesad)\w*)\b/,
    /\b(?:shorter|smaller|younger|slower|lighter|plus (?:petit|bas|court|jeune|lent|leger)\w*|kleiner|kurzer|junger|langsamer|leichter|mas (?:pequen|baj|cort|joven|lent|liger)\w*)\b/,
  ],
  [/\b(?:first|premiere?|erste\w*|primer\w*)\b/, /\b(?:last|dernier\w*|letzte\w*|ultim\w*)\b/],
  [
    /\b(?:buy\w*|bought|purchas\w*|achet\w*|kauf\w*|compr(?:a|o|e)\w*)\b/,
    /\b(?:sell\w*|sold|vend\w*|verkauf\w*)\b/,
  ],
  [
    /\b(?:lends?|lent|prete(?:nt)?|verleih\w*|presta\w*)\b/,
    /\b(?:borrow\w*|emprunt\w*|entleih\w*|toma\w* prestad\w*)\b/,
  ],
  [
    /\b(?:sends?|sent|suppl(?:y|ies|ied)|deliver\w*|gives?|gave|envoi\w*|envoy\w*|livre\w*|fourni\w*|sende\w*|liefer\w*|geliefert|gibt|gab|gegeben|envia\w*|suministr\w*|entreg\w*)\b/,
    /\b(?:receiv\w*|gets?|got|(?:was|were|is|are|be|been) given|recoi\w*|recu\w*|erh(?:al|ie)l?t\w*|bekomm\w*|bekam\w*|recib\w*)\b/,
  ],
]

const SHARED_MINIMUM = 0.6
/** Clauses that fit almost as well as the best one. */
const NEAR = 0.12

/** Clauses of a sentence that say the opposite of what their source says. */
export function findReversed(said: string, source: string): string[] {
  const known = clausesOf(source)
  const topics = new Set(
    known.flatMap(({ text, words: [subject] }) => (PRONOUN.test(text) ? [] : (subject ?? []))),
  )
  return clausesOf(said).flatMap((clause) => {
    const ranked = known
      .filter(({ words }) => clause.words.length > 1 || words.length === 1)
      .map((other) => ({ other, share: likeness(withoutTopics(clause, other, topics), other) }))
    const best = Math.max(0, ...ranked.map(({ share }) => share))
    if (best < SHARED_MINIMUM) return []
    const near = ranked.filter(({ share }) => share >= best - NEAR)
    return near.every(({ other }) => isReversed(clause, other)) ? [clause.text.trim()] : []
  })
}

const PRONOUN = /^\s*(?:it|he|she|they|ils?|elles?|er|sie|es|ella|ellos)\s/iu

/** A clause without the subjects of other clauses, which this one only names again: "permitted in the reservoir". */
function withoutTopics(said: Clause, known: Clause, topics: ReadonlySet<string>): Clause {
  const [first, ...rest] = said.words
  const kept = rest.filter((word) => known.words.includes(word) || !topics.has(word))
  // A pronoun stands for the subject.
  const isNamedBefore = first === undefined || (PRONOUN.test(known.text) && topics.has(first))
  return { ...said, words: isNamedBefore && kept.length > 0 ? kept : [first ?? '', ...kept] }
}

/** Words that stand against each other count as shared. */
function likeness(said: Clause, known: Clause): number {
  const flips = opposing(fold(said.text), fold(known.text))
  const subject =
    known.inherited !== null &&
    !hasFirstWord(known.text) &&
    said.words.includes(known.inherited) &&
    !known.words.includes(known.inherited)
  return Math.min(1, overlapOf(said, known) + (flips + Number(subject)) / Math.max(1, said.words.length))
}

function isReversed(said: Clause, known: Clause): boolean {
  if (EXCEPTION.test(fold(said.text)) && EXCEPTION.test(fold(known.text))) return false
  const [a, b] = [withoutLacks(said, known), withoutLacks(known, said)]
  const isSameSubject = said.words[0] === known.words[0]
  const converse = isSameSubject && isConverse(a, b) ? 1 : 0
  return (negations(a) + negations(b) + opposing(a, b) + converse) % 2 === 1
}

/** "Forbidden except in writing" and "only in writing" say the same. */
const EXCEPTION =
  /\b(?:only|except\w*|unless|seulement|uniquement|sauf|ne\s.{0,40}\bqu['’e]|nur|ausser|solo|solamente|salvo|excepto)/

/** A clause without what it says to be lacking where the other does not name it: "without penalty" negates the penalty alone. */
const withoutLacks = ({ text }: Clause, other: Clause) =>
  prepare(text).replace(
    /\b(?:without|sans|ohne|sin)\s(?:(?:an?|the|une?|les?|la|eine?n?|den|das|die|el|los|las|una)\s)?(\p{L}+)/gu,
    (all, word: string) => (stemsOf(word).some((stem) => other.words.includes(stem)) ? all : ' '),
  )

const prepare = (text: string) =>
  fold(text.replace(PREFIXED, '$1'))
    .replace(/\b(without|sans|ohne|sin)\s(?:any|aucune?s?|jegliche\w*|ningun\w*)\b/g, '$1')
    .replace(NOT_ONLY, ' ')
    .replace(AT_MOST, ' maxbound ')
    .replace(AT_LEAST, ' minbound ')

/** Whether a clause negates: several words of one negation count once. */
function negations(text: string): number {
  const count = text.match(NEGATORS)?.length ?? 0
  // "neither … nor", "ni … ni" and "ne … ni" are one negation.
  return /\b(?:neither|weder|ni)\b/.test(text) ? 1 : count
}

const opposing = (a: string, b: string) =>
  countFlips(isOtherEvent(a, b) ? OPPOSITES.filter((pair) => pair !== TIMES) : OPPOSITES, a, b) +
  prefixed(a, b)

/** Counts the words of one text that the other negates by a prefix: "conseillé" and "déconseillé". */
function prefixed(a: string, b: string): number {
  const [some, others] = [a, b].map((text) => new Set(text.match(/\p{L}{6,}/gu)))
  const isOne = (word: string, own: Set<string> | undefined, other: Set<string> | undefined) =>
    PREFIXES.some((prefix) => other?.has(prefix + word) && !own?.has(prefix + word))
  return (
    [...(some ?? [])].filter((word) => isOne(word, some, others)).length +
    [...(others ?? [])].filter((word) => isOne(word, others, some)).length
  )
}

const PREFIXES = ['un', 'dis', 'non', 'de', 'des', 'in', 'im', 'ir', 'il', 'mis']

/** Whether one clause buys, sends or is taller where the other sells, receives or is shorter. */
export const isConverse = (a: string, b: string) => countFlips(CONVERSE, fold(a), fold(b)) > 0

const TIME_ORDER =
  /\b(?:before|prior to|avant|vor|bevor|antes|after|following|apres|nach|nachdem|despues)\s(.{0,40})/

/** Returns whether "before" and "after" refer to different events: "a week after the first", "a week before the second". */
function isOtherEvent(a: string, b: string): boolean {
  const [one, other] = [a, b].map((text) => stemsOf(TIME_ORDER.exec(text)?.[1] ?? '')[0])
  return one !== undefined && other !== undefined && one !== other
}

const countFlips = (pairs: readonly [RegExp, RegExp][], a: string, b: string) =>
  pairs.filter(([one, other]) => {
    const [oneA, otherA, oneB, otherB] = [one.test(a), other.test(a), one.test(b), other.test(b)]
    return (oneA && !otherA && otherB && !oneB) || (otherA && !oneA && oneB && !otherB)
  }).length
