import { Decimal } from 'decimal.js'
import { AppError } from '#shared/platform/errors.ts'
import { calculate } from '../../../../../tools/calculator/calculate.ts'
import type { SumOperation } from './read-sums.ts'

const Rounded = Decimal.clone({ precision: 40 })
/** Digits of the largest double, which is the largest number that the calculator accepts. */
const mostDigits = 308
/** Largest exponent of an exact power. Larger ones, possible only for bases next to 1, use logarithms. */
const mostExact = 4096

/** Returns the digits of a result. The calculator does the four basic operations. @throws AppError `invalid` with a sentence */
export function workOut(operation: SumOperation, a: string, b: string): string {
  if (operation === 'power') return power(a, b)
  return operation === 'root' ? root(a, b) : calculate(a, operation, b)
}

function power(a: string, b: string): string {
  const [base, exponent] = [new Rounded(a), new Rounded(b)]
  if (base.isZero()) {
    if (exponent.isNegative() && !exponent.isZero()) return calculate('1', 'divide', '0')
    return exponent.isZero() ? '1' : '0'
  }
  if (base.isNegative() && !exponent.isInteger())
    throw new AppError('invalid', 'There is no real number that is this root.')
  const digits = base.abs().log(10).times(exponent)
  if (digits.greaterThan(mostDigits)) throw new AppError('invalid', 'The result is too large to be shown.')
  if (digits.lessThan(-mostDigits)) return '0'
  if (!exponent.isInteger() || exponent.abs().greaterThan(mostExact)) return base.pow(exponent).toFixed()
  const raised = multiplyOut(a, exponent.abs().toNumber())
  return exponent.isNegative() ? calculate('1', 'divide', raised) : raised
}

/** Exponentiation by squaring: at most two multiplications per bit of the exponent. */
function multiplyOut(base: string, exponent: number): string {
  let [result, square] = ['1', base]
  for (let left = exponent; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) result = calculate(result, 'multiply', square)
    if (left > 1) square = calculate(square, 'multiply', square)
  }
  return result
}

function root(a: string, degree: string): string {
  const inside = new Rounded(a)
  if (degree === '3') return inside.cbrt().toFixed()
  if (inside.isNegative() && !inside.isZero())
    throw new AppError('invalid', 'There is no real number that is this root.')
  return inside.sqrt().toFixed()
}
