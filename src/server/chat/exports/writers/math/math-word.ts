import {
  Math as Formula,
  type MathComponent,
  MathFraction,
  MathLimitUpper,
  MathRadical,
  MathRun,
  MathSubScript,
  MathSubSuperScript,
  MathSuperScript,
} from 'docx'
import { textOf } from './math-text.ts'
import { type MathNode, readMath, rowsOf } from './read-math.ts'

/** Returns the lines of a formula as formulas of Word; null for a source that is not valid. */
export function mathFormulas(tex: string, display: boolean): Formula[] | null {
  const read = readMath(tex, display)
  return read && rowsOf(read).map((row) => new Formula({ children: partsOf(row) }))
}

function partsOf({ name, text, children }: MathNode): MathComponent[] {
  const [base = [], second = [], third = []] = children.map(partsOf)
  switch (name) {
    case 'mfrac':
      return [new MathFraction({ numerator: base, denominator: second })]
    case 'msqrt':
      return [new MathRadical({ children: children.flatMap(partsOf) })]
    case 'mroot':
      return [new MathRadical({ children: base, degree: second })]
    case 'msup':
      return [new MathSuperScript({ children: base, superScript: second })]
    case 'msub':
    case 'munder':
      return [new MathSubScript({ children: base, subScript: second })]
    case 'msubsup':
    case 'munderover':
      return [new MathSubSuperScript({ children: base, subScript: second, superScript: third })]
    case 'mover':
      return [new MathLimitUpper({ children: base, limit: second })]
    case 'mtable':
      return [new MathRun(textOf({ name, text, children }))]
    default:
      if (children.length > 0) return children.flatMap(partsOf)
      return text === '' ? [] : [new MathRun(text)]
  }
}
