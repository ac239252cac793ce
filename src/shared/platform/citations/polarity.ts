import { type Clause, clausesOf, overlapOf } from './clauses.ts'
import { fold } from './text-language.ts'

const AT_MOST =
  /\b(?:no later than|not later than|no more than|not more than|does not exceed|may not exceed|must not exceed|not exceeding|at most|up to|au plus|au maximum|pas plus de|ne depasse pas|au plus tard|hochstens|maximal|nicht mehr als|spatestens|como maximo|a lo sumo|no mas de|a mas tardar)\b/g
const AT_LEAST =
  /\b(?:no less than|not less than|no fewer than|at least|au moins|au minimum|pas moins de|mindestens|nicht weniger als|al menos|por lo menos|como minimo|no menos de)\b/g
const NOT_ONLY = /\b(?:not only|non seulement|pas seulement|nicht nur|no solo)\b/g
const NEGATORS =
  /\b(?:not|never|no|none|nobody|nothing|cannot|neither|nor|without|forbidden|prohibited|prohibits?|forbids?|banned|refuse[sd]?|unable|fail(?:s|ed) to|lacks?|pas|jamais|nullement|aucunement|aucune?|rien|ni|sans|non|interdite?s?|interdit|nicht|keine?[nrms]?|nie|niemals|niemand|nichts|nirgends|keinesfalls|keineswegs|ohne|verboten|untersagt|weder|nunca|jamas|nada|sin|ningune?|ninguna|nadie|tampoco|prohib\w+)\b|n['’]t\b/g

/** Pairs of opposite words, by stem. */
const OPPOSITES: [RegExp, RegExp][] = [
  [
    /\b(?:(?:increas|rais|augment|rose|rise|grew|grow|climb|gain|augment|progress|hauss|gestieg|steig|stieg|wuchs|gewachs|erhoh|zugenomm|aument|subi|crec)\w*)\b/,
    /\b(?:(?:decreas|fell|fall|drop|declin|shrank|shrink|reduc|lower|cut|diminu|baiss|recul|chut|gesunk|sank|sink|fiel|gefall|gesenk|abgenomm|disminu|baj|cay)\w*)\b/,
  ],
  [/\b(?:before|prior to|avant|vor|bevor|antes)\b/, /\b(?:after|following|apres|nach|nachdem|despues)\b/],
  [
    /\b(?:above|over|exceed\w*|au-dessus|uber|oberhalb|encima)\b/,
    /\b(?:below|under|au-dessous|unter|unterhalb|debajo)\b/,
  ],
  [/\b(?:maxbound|maxim\w*)\b/, /\b(?:minbound|minim\w*)\b/],
  [
    /\b(?:includ\w*|inclu\w*|compris\w*|enthalt\w*|inbegriffen|einschlie\w*)\b/,
    /\b(?:exclu\w*|ausgeschlossen|ausschlie\w*)\b/,
  ],
  [/\b(?:profits?|benefices?|gewinn\w*|beneficios?)\b/, /\b(?:loss\w*|pertes?|verlust\w*|perdidas?)\b/],
  [
    /\b(?:mandatory|compulsory|required|obligat\w*|vorgeschrieben|pflicht)\b/,
    /\b(?:optional|voluntary|facultati\w*|freiwillig|opcional\w*|voluntari\w*)\b/,
  ],
  [
    /\b(?:accept\w*|approv\w*|approuv\w*|genehmigt\w*|angenommen|aprob\w*|acept\w*)\b/,
    /\b(?:reject\w*|rejet\w*|abgelehnt|rechaz\w*|denied)\b/,
  ],
  [/\b(?:open\w*|ouvert\w*|offen|geoffnet|abiert\w*)\b/, /\b(?:closed?|ferme\w*|geschlossen|cerrad\w*)\b/],
  [
    /\b(?:higher|more than|plus eleve\w*|hoher|mas alt\w*)\b/,
    /\b(?:less than|plus faible\w*|niedriger|geringer|mas baj\w*)\b/,
  ],
  [/\b(?:valid|valable|gultig|valid[oa])\b/, /\b(?:invalid\w*|void|nul|ungultig|nul[oa])\b/],
  [/\b(?:with)\b/, /\b(?:without)\b/],
  [/\b(?:buy\w*|bought|purchas\w*|achet\w*|kauf\w*|compra\w*)\b/, /\b(?:sell\w*|sold|vend\w*|verkauf\w*)\b/],
  [/\b(?:first|premiere?|erste\w*|primer\w*)\b/, /\b(?:last|dernier\w*|letzte\w*|ultim\w*)\b/],
]

const SHARED_MINIMUM = 0.6
/** Tolerance for clauses that match almost as well as the best one. */
const NEAR = 0.12

/** Returns clauses of a sentence that contradict their source. */
export function findReversed(said: string, source: string): string[] {
  const known = clausesOf(source)
  return clausesOf(said).flatMap((clause) => {
    if (clause.words.length < 2) return []
    const ranked = known.map((other) => ({ other, share: likeness(clause, other) }))
    const best = Math.max(0, ...ranked.map(({ share }) => share))
    if (best < SHARED_MINIMUM) return []
    const near = ranked.filter(({ share }) => share >= best - NEAR)
    return near.every(({ other }) => isReversed(clause, other)) ? [clause.text.trim()] : []
  })
}

/** Opposite words count as shared. */
function likeness(said: Clause, known: Clause): number {
  const flips = opposing(fold(said.text), fold(known.text))
  return Math.min(1, overlapOf(said, known) + flips / Math.max(1, said.words.length))
}

function isReversed(said: Clause, known: Clause): boolean {
  const [a, b] = [prepare(said.text), prepare(known.text)]
  return (negations(a) + negations(b) + opposing(a, b)) % 2 === 1
}

const prepare = (text: string) =>
  fold(text).replace(NOT_ONLY, ' ').replace(AT_MOST, ' maxbound ').replace(AT_LEAST, ' minbound ')

/** Counts the negations of a clause; several words of one negation count once. */
function negations(text: string): number {
  const count = text.match(NEGATORS)?.length ?? 0
  // "neither … nor", "ni … ni" and "ne … ni" count as one negation.
  return /\b(?:neither|weder|ni)\b/.test(text) ? 1 : count
}

const opposing = (a: string, b: string) =>
  OPPOSITES.filter(([one, other]) => {
    const [oneA, otherA, oneB, otherB] = [one.test(a), other.test(a), one.test(b), other.test(b)]
    return (oneA && !otherA && otherB && !oneB) || (otherA && !oneA && oneB && !otherB)
  }).length
