import { fold } from './text-language.ts'
import { unitBehind } from './units.ts'

/** Whether a number is the most or the least that is meant. */
export type Bound = 'maximum' | 'minimum'

const BOUNDS_AHEAD: [RegExp, Bound][] = [
  [
    /\b(?:(?:no|not) (?:later|more|longer|higher|greater) than|at most|up to|(?:does|may|must|shall) not exceed|not exceeding|a maximum of|au plus|au maximum|pas plus de|jusqu['’]a|(?:ne )?depasse pas|hochstens|maximal|bis zu|nicht (?:mehr|langer|hoher) als|spatestens|como maximo|a lo sumo|no mas de|hasta|(?:not|never) (?:above|over)|nicht uber|pas au-dessus de|(?:ne pas|sans|no) (?:depasser|superar|exceder)|no por encima de)\s*[€$£]?\s*$/,
    'maximum',
  ],
  [
    /\b(?:(?:no|not) (?:earlier|less|fewer|shorter|lower) than|at least|a minimum of|au moins|au minimum|pas moins de|mindestens|wenigstens|nicht (?:weniger|fruher) als|fruhestens|al menos|por lo menos|como minimo|no menos de)\s*[€$£]?\s*$/,
    'minimum',
  ],
]
const BOUNDS_BEHIND: [RegExp, Bound][] = [
  [
    /^[^.,;]{0,20}\b(?:at (?:the )?most|or (?:less|fewer)|maximum|au (?:plus|maximum)|ou moins|oder weniger|como maximo|o menos)\b/,
    'maximum',
  ],
  [
    /^[^.,;]{0,20}\b(?:or more|at (?:the )?least|minimum|au (?:moins|minimum)|ou plus|oder mehr|o mas|como minimo)\b/,
    'minimum',
  ],
]
const NEAR = 40

/** The bound that the words around a number say. Null when they say none. */
export function boundBeside(before: string, after: string): Bound | null {
  const [ahead, behind] = [fold(before.slice(-NEAR)), fold(after.slice(0, NEAR))]
  const found =
    BOUNDS_AHEAD.find(([pattern]) => pattern.test(ahead)) ??
    BOUNDS_BEHIND.find(([pattern]) => pattern.test(behind))
  return found?.[1] ?? null
}

/** The unit between a number and the period it is counted by, and the word that leads to the period. */
const PER =
  /^(?:\s?\p{L}{1,12})?[€$£]?\.?(?:\s(?:of|de|d['’])\s?\p{L}{1,14})?\s?(?:\/|(?<!\p{L})(?:a la|al|an?|per|each|every|par|chaque|pro|je|im|por|cada)(?!\p{L})\s?|(?<!\p{L})de l['’]\s?)(?=\p{L})/u
const PERIODS: [string, RegExp][] = [
  ['hour', /^(?:hour|heure|stunde|hora)\b/],
  ['day', /^(?:day|jour|tag|dia)\b/],
  ['week', /^(?:week|semaine|woche|semana)\b/],
  ['month', /^(?:month|mois|monat|mes)\b/],
  ['quarter', /^(?:quarter|trimestre|quartal)\b/],
  ['year', /^(?:year|annum|an|annee|jahr|ano)\b/],
]

/** The period a number behind it is counted by: "85 euros an hour" is by the hour. Null when none is said. */
export function rateBehind(after: string): string | null {
  // "An" is a year in French, and an article before a period in English.
  const found = unitBehind(after)
  const unit = found && found.unit.kind !== 'day' ? found.length : 0
  const behind = fold(after.slice(unit, unit + NEAR))
  const lead = PER.exec(behind)?.[0]
  if (lead === undefined) return null
  return PERIODS.find(([, pattern]) => pattern.test(behind.slice(lead.length)))?.[0] ?? null
}

export type Direction = 'up' | 'down'
const DIRECTIONS: [RegExp, Direction][] = [
  [
    /\b(?:(?:increas|rais|augment|rose|rise|rising|grew|grow|climb|gain|progress|hauss|gestieg|steig|stieg|wuchs|gewachs|erhoh|zugenomm|aument|subi|crec)\w*|up)\b/g,
    'up',
  ],
  [
    /\b(?:(?:decreas|fell|fall|drop|declin|shrank|shrink|reduc|lower|diminu|baiss|recul|chut|gesunk|sank|sink|fiel|gefall|gesenk|abgenomm|disminu|baj|cay)\w*|down)\b/g,
    'down',
  ],
]

const MORE_THAN: [RegExp, Direction][] = [
  [
    /^(?:[^.,;]{0,24}\s)?(?:more|higher|de plus|plus|mehr|hoher|mas|superior)\s(?:than|que|qu['’]|als|a|in the|the year)/,
    'up',
  ],
  [
    /^(?:[^.,;]{0,24}\s)?(?:fewer|less|lower|de moins|moins|weniger|niedriger|menos|inferior)\s(?:than|que|qu['’]|als|a)/,
    'down',
  ],
]

/** Returns the direction in which the words after a number compare it ("15 % less than"); null when they do not. */
export const comparisonBehind = (after: string): Direction | null =>
  MORE_THAN.find(([pattern]) => pattern.test(fold(after.slice(0, NEAR))))?.[1] ?? null

const RATES: [string, RegExp][] = [
  ['day', /\b(?:daily|quotidien\w*|journali\w*|taglich\w*|diari\w*)\b/],
  ['week', /\b(?:weekly|hebdomadaire\w*|wochentlich\w*|semanal\w*)\b/],
  ['month', /\b(?:monthly|mensuel\w*|monatlich\w*|mensual\w*|monats\w+)\b/],
  ['year', /\b(?:annual\w*|yearly|annuel\w*|jahrlich\w*|anual\w*|jahres\w+)\b/],
]

/** Returns the period named by an adjective before a number in its part of the sentence; null without one. */
export function rateAhead(before: string): string | null {
  const part = partAhead(before)
  return RATES.find(([, pattern]) => pattern.test(part))?.[0] ?? null
}

const partAhead = (before: string) =>
  fold(before.slice(-NEAR))
    .split(/[.,;:]\s|\n|\s(?:and|but|while|et|mais|und|aber|y|pero|mientras)\s/)
    .at(-1) ?? ''

/** Whether the words just ahead of a number, in its part of the sentence, say that it rises or falls. Null when they say neither. */
export function directionAhead(before: string): Direction | null {
  const part = partAhead(before)
  const found = DIRECTIONS.flatMap(([pattern, direction]) =>
    Array.from(part.matchAll(pattern), ({ index }) => ({ index, direction })),
  )
  return found.sort((a, b) => b.index - a.index)[0]?.direction ?? null
}
