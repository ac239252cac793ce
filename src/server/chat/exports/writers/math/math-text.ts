import { type MathNode, readMath, rowsOf } from './read-math.ts'

/** Returns the lines of a formula in letters and signs of Unicode; its source when that is not valid. */
export function mathLines(tex: string, display: boolean): string[] {
  const read = readMath(tex, display)
  return read ? rowsOf(read).map((row) => textOf(row).replace(/ {2,}/g, ' ').trim()) : tex.split('\n')
}

const raised = scale(
  '0123456789+−-=()niabcdefghjklmoprstuvwxyzT',
  '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿⁱᵃᵇᶜᵈᵉᶠᵍʰʲᵏˡᵐᵒᵖʳˢᵗᵘᵛʷˣʸᶻᵀ',
)
const lowered = scale('0123456789+−-=()aehijklmnoprstuvx', '₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ')
const accents: Record<string, string> = {
  ...{
    '^': '\u0302',
    '~': '\u0303',
    ˉ: '\u0304',
    '¯': '\u0304',
    '‾': '\u0304',
    '˙': '\u0307',
    '¨': '\u0308',
  },
  ...{ '⃗': '\u20d7', '→': '\u20d7', ˇ: '\u030c', '´': '\u0301' },
}
const spaced = /^[=<>≤≥≠≈≡∼∝→←⇒⇔∈∉⊂⊆∪∩+−±×÷⋅·∧∨:]$/u

function scale(from: string, to: string): Map<string, string> {
  const signs = [...to]
  return new Map([...from].map((sign, at) => [sign, signs[at] ?? sign]))
}

/** Returns a formula as one line of text. */
export function textOf({ name, text, children }: MathNode): string {
  const [base, second, third] = children.map(textOf)
  switch (name) {
    case 'mo':
      return spaced.test(text) ? ` ${text} ` : text.replace(/[\u2061-\u2064]/g, '')
    case 'mfrac':
      return `${inBrackets(base)}/${inBrackets(second)}`
    case 'msqrt':
      return `√${inBrackets(children.map(textOf).join(''))}`
    case 'mroot':
      return `${shift(second, raised, '^')}√${inBrackets(base)}`
    case 'msup':
      return base + shift(second, raised, '^')
    case 'msub':
    case 'munder':
      return base + shift(second, lowered, '_')
    case 'msubsup':
    case 'munderover':
      return base + shift(second, lowered, '_') + shift(third, raised, '^')
    case 'mover':
      return accents[second?.trim() ?? '']
        ? base + accents[second!.trim()]!
        : base + shift(second, raised, '^')
    case 'mtable':
      return children.map(textOf).join('; ')
    case 'mtr':
      return children.map((cell) => textOf(cell).trim()).join(' ')
    default:
      return children.length > 0 ? children.map(textOf).join('') : text.replace(/\p{Zs}/gu, ' ')
  }
}

function inBrackets(text = ''): string {
  return /^[\p{L}\p{N}.,]*$/u.test(text) ? text : `(${text.trim()})`
}

/** Returns a text raised or lowered; with `mark` and in brackets where Unicode has no such letters. */
function shift(text = '', letters: Map<string, string>, mark: string): string {
  const signs = [...text.replaceAll(' ', '')]
  if (text.trim() === '′') return '′'
  return signs.every((sign) => letters.has(sign))
    ? signs.map((sign) => letters.get(sign)).join('')
    : `${mark}${inBrackets(text)}`
}
