import { Decimal } from 'decimal.js'
import { AppError } from '#shared/errors.ts'
import type { ToolRun } from '#shared/tools/tool.ts'
import type calculator from './contract.ts'

/** Enough for products of the largest numbers the contract takes to stay exact. */
const Exact = Decimal.clone({ precision: 1000, toExpNeg: -40, toExpPos: 40 })
/** A division may never end. */
const QUOTIENT_DIGITS = 40

/** Calculates with decimal digits, so that 0.1 + 0.2 is 0.3. @throws AppError `invalid` for a division by zero */
const run: ToolRun<typeof calculator> = async ({ a, b, operation }) => {
  const exact = calculate(new Exact(a), new Exact(b), operation)
  const result = exact.toNumber()
  if (!Number.isFinite(result)) throw new AppError('invalid', 'The result is too large to be shown.')
  return { result, exact: exact.toString() }
}

export default run

function calculate(a: Decimal, b: Decimal, operation: 'add' | 'subtract' | 'multiply' | 'divide'): Decimal {
  switch (operation) {
    case 'add':
      return a.plus(b)
    case 'subtract':
      return a.minus(b)
    case 'multiply':
      return a.times(b)
    case 'divide':
      if (b.isZero()) throw new AppError('invalid', 'Division by zero is not possible.')
      return a.dividedBy(b).toSignificantDigits(QUOTIENT_DIGITS)
  }
}
