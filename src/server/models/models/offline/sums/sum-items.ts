import type { Token } from '../words/tokens.ts'
import { createPhrases } from '../words/word-phrases.ts'

/** The role of a word or symbol in a sum. A word without a role ends the sum. */
export type SumItem =
  | { kind: 'number'; value: string }
  | {
      kind: 'sign'
      sign: '+' | '-' | '*' | '/' | '^' | '%' | '(' | ')'
      /** True between two digits without a space, as in a range or a score. */
      isTight?: boolean
      /** True for a colon. */
      isRatio?: boolean
    }
  /** After a number: raised to 2 or 3. */
  | { kind: 'raised'; to: '2' | '3' }
  | { kind: 'root'; degree: '2' | '3' }
  /** “half of”, “twice”: divides or multiplies the number after it. */
  | { kind: 'share'; operation: 'multiply' | 'divide'; by: string }
  | { kind: 'verb'; verb: Verb }
  | { kind: 'link'; link: Link }
  /** “it”: the previous result. */
  | { kind: 'before' }

/** An unbroken row of items that may be a sum, and its range of tokens. */
export type SumRow = { items: SumItem[]; from: number; to: number }

export type Verb = 'add' | 'subtract' | 'multiply' | 'divide' | 'difference' | 'decrease' | 'square'
export type Link = 'and' | 'by' | 'from' | 'of' | 'off' | 'to'

type Meaning = SumItem | 'nothing'
const sign = (of: Extract<SumItem, { kind: 'sign' }>['sign']): Meaning => ({ kind: 'sign', sign: of })
const share = (operation: 'multiply' | 'divide', by: string): Meaning => ({ kind: 'share', operation, by })
const verb = (of: Verb): Meaning => ({ kind: 'verb', verb: of })
const link = (of: Link): Meaning => ({ kind: 'link', link: of })

const vocabulary: [Meaning, string][] = [
  [sign('+'), 'plus'],
  [sign('-'), 'minus, moins'],
  [sign('*'), 'times, multiplied by, fois, multiplié par, multipliée par, multipliés par'],
  [sign('/'), 'divided by, divisé par, divisée par, divisés par'],
  [sign('^'), 'to the power of, to the power, raised to, puissance, à la puissance'],
  [{ kind: 'raised', to: '2' }, 'squared, au carré'],
  [{ kind: 'raised', to: '3' }, 'cubed, au cube'],
  [{ kind: 'root', degree: '2' }, 'square root, sqrt, racine carrée, racine'],
  [{ kind: 'root', degree: '3' }, 'cube root, cubic root, racine cubique'],
  [share('divide', '2'), 'half, moitié'],
  [share('divide', '3'), 'third, thirds, tiers'],
  [share('divide', '4'), 'quarter, quarters, quart, quarts'],
  [share('divide', '5'), 'fifth, fifths, cinquième, cinquièmes'],
  [share('divide', '10'), 'tenth, tenths, dixième, dixièmes'],
  [share('multiply', '2'), 'double, twice'],
  [share('multiply', '3'), 'triple'],
  [verb('add'), 'add, sum of, total of, ajoute, ajouter, ajoutez, additionne, additionner, additionnez'],
  [verb('add'), 'somme de, total de, increase, raise, augmente, augmenter, augmentez'],
  [verb('subtract'), 'subtract, soustrais, soustraire, soustrayez, retire, retirer, retirez'],
  [verb('subtract'), 'enlève, enlever, enlevez'],
  [verb('multiply'), 'multiply, product of, multiplie, multiplier, multipliez, produit de'],
  [verb('divide'), 'divide, quotient of, divise, diviser, divisez, quotient de'],
  [verb('difference'), 'difference between, différence entre'],
  [
    verb('decrease'),
    'decrease, reduce, lower, diminue, diminuer, diminuez, réduis, réduire, réduisez, baisse',
  ],
  [verb('square'), 'square, carré'],
  [link('and'), 'and, et'],
  [link('by'), 'by, par'],
  [link('from'), 'from'],
  [link('of'), 'of, on, de, du, des, d, sur'],
  [link('to'), 'to, à, au, aux'],
  [link('off'), 'off'],
  [{ kind: 'before' }, 'it, that, this, the result, result, cela, ça, le résultat, ce résultat, résultat'],
  ['nothing', 'the, a, an, le, la, les, l, lui, y, €, $, £'],
]

const find = createPhrases(vocabulary)
const known = new Set(['+', '-', '*', '/', '^', '%', '(', ')'])

/** Returns the unbroken rows of items that may be a sum. */
export function readSumItems(tokens: Token[]): SumRow[] {
  const rows: SumRow[] = []
  let items: SumItem[] = []
  let from = 0
  const end = (to: number) => {
    if (items.length > 0) rows.push({ items, from, to })
    items = []
  }
  for (let at = 0; at < tokens.length; ) {
    const found = find(tokens, at)
    const item = found ? found.meaning : readItem(tokens, at)
    if (item === null) end(at)
    else if (item !== 'nothing') {
      // “Is that 2 + 2?”: right before a number the word refers to nothing.
      if (items.at(-1)?.kind === 'before' && item.kind === 'number') items.pop()
      if (items.length === 0) from = at
      items.push(item)
    }
    at += found?.length ?? 1
  }
  end(tokens.length)
  return rows
}

function readItem(tokens: Token[], at: number): SumItem | null {
  const token = tokens[at]
  if (token?.kind === 'number') return { kind: 'number', value: token.value }
  const isBetween = tokens[at - 1]?.kind === 'number' && tokens[at + 1]?.kind === 'number'
  if (token?.kind === 'word') return token.word === 'x' && isBetween ? { kind: 'sign', sign: '*' } : null
  if (token?.kind !== 'sign') return null
  if (token.sign === '²' || token.sign === '³') return { kind: 'raised', to: token.sign === '²' ? '2' : '3' }
  if (token.sign === '√' || token.sign === '∛')
    return { kind: 'root', degree: token.sign === '√' ? '2' : '3' }
  if (token.sign === ',') return { kind: 'link', link: 'and' }
  if (token.sign === ':')
    return isBetween ? { kind: 'sign', sign: '/', isTight: token.isTight === true, isRatio: true } : null
  if (!known.has(token.sign)) return null
  return { kind: 'sign', sign: token.sign as '+', isTight: token.isTight === true }
}
