import { describe, expect, it } from 'vitest'
import { readNumber } from './driver.ts'

describe('a number of a database', () => {
  it('stays a text when it would lose digits, cut at 10,000 characters', () => {
    expect(readNumber('1.50')).toBe(1.5)
    expect(readNumber('12345678901234567890')).toBe('12345678901234567890')
    expect(readNumber('NaN')).toBe('NaN')
    expect(readNumber('7'.repeat(130_000))).toBe(`${'7'.repeat(10_000)}…`)
    expect(readNumber(`1.${'3'.repeat(130_000)}`)).toHaveLength(10_001)
  })
})
