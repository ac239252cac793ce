import { type Token, wordAt } from '../words/tokens.ts'
import type { SumItem, SumRow } from './sum-items.ts'

/** Words right before a sum that ask for its result. */
const ASKS =
  /(?:^| )(?:what is|what s|whats|how much is|how much are|how much s|calculate|compute|work out|solve|evaluate|what are|combien font|combien fait|ça fait combien|font|calcule|calculer|calculez|ça fait|c est combien|combien vaut|que vaut|vaut|résous|quelle est|quel est|combien est)(?: the| a| an| la| le| l| les)?$/
/** Words around a sum that ask for nothing else. */
const FILLER = new Set(
  (
    'what whats is s are how much many calculate compute solve evaluate work out tell me please can could you do does the result results of sum equals ' +
    'equal make makes and then now so ok okay about give answer value find it that this again with use calculator the a an hi hello hey in total for my to by from ' +
    'combien font fait faire ça c est calcule calculer calculez quel quelle le la les l résultat svp stp s il te vous plaît dis moi peux tu pouvez donne ' +
    'maintenant puis ensuite et euros euro dollars dollar pounds pound bonjour salut vaut que total avec calculatrice en de du des d un une au'
  ).split(' '),
)

/**
 * Returns whether a row is meant as a sum. “1914-1918”, “24/7”, “3-2”, “4x4” and “the third quarter of 2024” are not, unless the text
 * asks for their result.
 */
export function isMeant({ items, from, to }: SumRow, tokens: Token[]): boolean {
  if (isStrong(items)) return true
  if (isThing({ items, from, to }, tokens)) return false
  if (isAsked({ items, from, to }, tokens)) return true
  return isBare({ items, from, to }, tokens) && !isScore(items) && !isQuarter(items)
}

/** Returns whether the text around a row asks for nothing else. */
export const isBare = ({ from, to }: SumRow, tokens: Token[]): boolean =>
  tokens.every((token, at) => (at >= from && at < to) || isFiller(token))

/** “a 4x4”, “a 24/7 service” */
const isThing = ({ items, from }: SumRow, tokens: Token[]) =>
  items[0]?.kind === 'number' && ['a', 'an', 'the'].includes(wordAt(tokens, from - 1))

/** Returns whether a row has an explicit operation, which cannot be a range, a score or a date. */
function isStrong(items: SumItem[]): boolean {
  if (isShareOfYear(items)) return false
  return items.some((item) => {
    if (item.kind === 'sign') return !item.isTight && !'()%'.includes(item.sign)
    if (item.kind === 'verb') return item.verb !== 'square'
    return item.kind === 'root' || item.kind === 'raised' || (item.kind === 'link' && hasPercent(items))
  })
}

const hasPercent = (items: SumItem[]) => items.some((item) => item.kind === 'sign' && item.sign === '%')

/** “10 % of 2024” may continue as “10 % of 2024 revenue”. */
const isShareOfYear = (items: SumItem[]) => {
  const last = items.at(-1)
  const isYear = last?.kind === 'number' && /^(?:19|20)\d\d$/.test(last.value)
  return isYear && items.at(-2)?.kind === 'link'
}

function isAsked({ items, from, to }: SumRow, tokens: Token[]): boolean {
  const ahead = tokens.slice(0, from).map((_, at) => wordAt(tokens, at))
  const next = tokens[to]
  const isEnd = next === undefined || next.kind === 'sign' || isFiller(next)
  if (next?.kind === 'sign' && next.sign === '=') return true
  return isEnd && !isQuarter(items) && ASKS.test(ahead.filter(Boolean).slice(-5).join(' '))
}

/** “the third quarter of 2024” */
const isQuarter = (items: SumItem[]) =>
  isShareOfYear(items) && items[0]?.kind === 'share' && items[1]?.kind === 'share'

function isFiller(token: Token): boolean {
  if (token.kind === 'word') return FILLER.has(token.word)
  return token.kind === 'sign'
}

/** Two small integers with a dash between them, as in “3-2” and “5-10%”. */
function isScore(items: SumItem[]): boolean {
  const [a, sign, b] = items
  const isSmall = (item: SumItem | undefined) => item?.kind === 'number' && /^\d{1,2}$/.test(item.value)
  const isStroke = sign?.kind === 'sign' && (sign.sign === '-' || sign.isRatio === true)
  const isOver = items.length === 3 || (items.length === 4 && hasPercent(items))
  return isOver && isSmall(a) && isSmall(b) && isStroke
}
