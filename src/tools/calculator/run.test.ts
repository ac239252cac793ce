import { describe, expect, it } from 'vitest'
import { aToolContext } from '#tests/tool-context.ts'
import calculator from './contract.ts'
import run from './run.ts'

const context = aToolContext()
const calculate = (a: number | string, operation: string, b: number | string) =>
  run(calculator.input.parse({ a, b, operation }), context)

describe('calculator', () => {
  it.each([
    [21, 'multiply', 2, 42, '42'],
    [0.1, 'add', 0.2, 0.3, '0.3'],
    [1, 'subtract', 0.9, 0.1, '0.1'],
    [1, 'divide', 8, 0.125, '0.125'],
    ['1.5', 'multiply', ' -2 ', -3, '-3'],
    ['12345678901234567890', 'multiply', 10, 1.2345678901234568e20, '123456789012345678900'],
    [1, 'divide', 3, 1 / 3, `0.${'3'.repeat(40)}`],
  ])('calculates %s %s %s exactly [CA-01]', async (a, operation, b, result, exact) => {
    expect(await calculate(a, operation, b)).toEqual({ result, exact })
  })

  it('reports division by zero as impossible [CA-02]', async () => {
    await expect(calculate(1, 'divide', 0)).rejects.toThrow('Division by zero is not possible.')
    await expect(calculate(0, 'divide', '-0.0')).rejects.toThrow('Division by zero is not possible.')
  })

  it('rejects other operations and operands that are not numbers [CA-01]', () => {
    expect(calculator.input.safeParse({ a: 1, b: 2, operation: 'power' }).success).toBe(false)
    expect(calculator.input.safeParse({ a: 'NaN', b: 2, operation: 'add' }).success).toBe(false)
    expect(calculator.input.safeParse({ a: Number.POSITIVE_INFINITY, b: 2, operation: 'add' }).success).toBe(
      false,
    )
  })

  it('reports a result that is too large to display [CA-01]', async () => {
    await expect(calculate('1e300', 'multiply', '1e300')).rejects.toThrow('too large')
  })
})
