import { Decimal } from 'decimal.js'

export type Operation = 'add' | 'subtract' | 'multiply' | 'divide'

/** One operation; an operand is a number as text, or `#n` for the result of the n-th operation. */
export type Calculation = { operation: Operation; a: string; b: string }

/** Numbers, signs and parentheses of one expression: every operation is a call, and every parenthesis a level. */
const mostTokens = 400

const words: [RegExp, string][] = [
  [/\b(multiplied by|multiplié par|times|fois)\b/gi, '*'],
  [/\b(divided by|divisé par)\b/gi, '/'],
  [/\b(plus|et ajoute)\b/gi, '+'],
  [/\b(minus|moins)\b/gi, '-'],
  [/[×✕]|x(?<=\d\s*x)(?=\s*\d)/gi, '*'],
  [/[÷]|:(?<=\d\s*:)(?=\s*\d)/g, '/'],
  [/−/g, '-'],
  [/(?<=\d)[ \u00a0\u202f](?=\d{3}\b)/g, ''],
  [/(?<=\d),(?=\d{1,2}\b(?!\d))/g, '.'],
]

/** The operations of the first arithmetic expression in a text, in the order in which they must be done; null without one. */
export function findCalculations(text: string): Calculation[] | null {
  const normal = words.reduce((result, [pattern, sign]) => result.replace(pattern, sign), text)
  for (const [run] of normal.matchAll(/[-\d\s.()+*/]+/g)) {
    const candidate = run.replace(/^[\s)+*/]+/, '').replace(/(?<![-\s.(+*/])[-\s.(+*/]+$/, '')
    if (!/\d[\s)]*[+*/-][\s(]*-?[\d.]/.test(candidate) || isDate(candidate)) continue
    const calculations = readExpression(candidate)
    if (calculations) return calculations
  }
  return null
}

/** What is to be done with a result, and where behind it the second number stands. */
const followUps: { verb: RegExp; second: RegExp; sign: string }[] = [
  { verb: /\b(?:multiply|multiplie[rz]?)\b/i, second: /\b(?:by|par)\s+(-?\d+(?:[.,]\d+)?)/i, sign: '*' },
  { verb: /\b(?:divide|divise[rz]?)\b/i, second: /\b(?:by|par)\s+(-?\d+(?:[.,]\d+)?)/i, sign: '/' },
  { verb: /\b(?:add|ajoute[rz]?)(?:-y|-lui)?(?=\s)/i, second: /^\s+(-?\d+(?:[.,]\d+)?)/, sign: '+' },
  {
    verb: /\b(?:subtract|soustrais|soustraire|retire[rz]?|enlève[rz]?)(?=\s)/i,
    second: /^\s+(-?\d+(?:[.,]\d+)?)/,
    sign: '-',
  },
]

/**
 * A step that goes on from an earlier result, with that result's last number in its place: "divide it by 4"
 * after "21 × 2 = 42" is "42 / 4". A step that stands on its own stays as it is.
 */
export function continueFrom(step: string, result: string): string {
  const number = result
    .match(/-?\d+(?:[.,]\d+)?/g)
    ?.at(-1)
    ?.replace(',', '.')
  if (number === undefined || findCalculations(step)) return step
  for (const { verb, second, sign } of followUps) {
    const found = verb.exec(step)
    const operand = found && second.exec(step.slice(found.index + found[0].length))?.[1]
    if (operand) return `${number} ${sign} ${operand.replace(',', '.')}`
  }
  return step.replace(/\b(it|that|this|the result|cela|ça|le résultat|ce résultat)\b/i, number)
}

/** `text` with the results put in place of `#n`. */
export function fillOperand(operand: string, results: string[]): string {
  return operand.startsWith('#') ? (results[Number(operand.slice(1))] ?? operand) : operand
}

const isDate = (text: string) => /^\s*\d{1,4}[-/]\d{1,2}[-/]\d{1,4}\s*$/.test(text)

/** Recursive descent over + - * / and parentheses; null when it is no expression, or one too long to be meant. */
function readExpression(text: string): Calculation[] | null {
  const tokens = text.match(/\d+(?:\.\d+)?|\.\d+|[-+*/()]/g) ?? []
  if (tokens.length > mostTokens) return null
  const done: Calculation[] = []
  let at = 0

  const combine = (a: string, sign: string, b: string): string => {
    const operation = ({ '+': 'add', '-': 'subtract', '*': 'multiply', '/': 'divide' } as const)[sign as '+']
    done.push({ operation, a, b })
    return `#${done.length - 1}`
  }
  const factor = (): string | null => {
    const token = tokens[at++]
    if (token === '(') {
      const inner = sum()
      return tokens[at++] === ')' ? inner : null
    }
    if (token === '-') {
      const negated = factor()
      if (negated === null) return null
      return negated.startsWith('#') ? combine('0', '-', negated) : new Decimal(negated).negated().toString()
    }
    return token && /\d/.test(token) ? token : null
  }
  const chain = (next: () => string | null, signs: string): string | null => {
    let left = next()
    while (left !== null && signs.includes(tokens[at] ?? ' ')) {
      const sign = tokens[at++] ?? ''
      const right = next()
      left = right === null ? null : combine(left, sign, right)
    }
    return left
  }
  const product = () => chain(factor, '*/')
  const sum = (): string | null => chain(product, '+-')

  const result = sum()
  return result !== null && at === tokens.length && done.length > 0 ? done : null
}
