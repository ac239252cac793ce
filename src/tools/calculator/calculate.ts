import { Decimal } from 'decimal.js'
import { AppError } from '#shared/platform/errors.ts'

/** Precise enough to keep products of the largest allowed numbers exact. */
const Exact = Decimal.clone({ precision: 1000, toExpNeg: -40, toExpPos: 40 })
/** Significant digits of a quotient, since a division may never end. */
const QUOTIENT_DIGITS = 40

export type Operation = 'add' | 'subtract' | 'multiply' | 'divide'

/**
 * Calculates in decimal, so that 0.1 + 0.2 is 0.3. Returns the digits.
 * @throws AppError `invalid` for a division by zero, and for a result beyond the range of a number
 */
export function calculate(a: number | string, operation: Operation, b: number | string): string {
  const exact = operate(new Exact(a), operation, new Exact(b))
  if (!Number.isFinite(exact.toNumber()))
    throw new AppError('invalid', 'The result is too large to be shown.')
  return exact.toString()
}

function operate(a: Decimal, operation: Operation, b: Decimal): Decimal {
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
