import { describe, expect, it } from 'vitest'
import { levelOf } from '../../money/billing/balance-level.ts'
import {
  formatAmount,
  formatBalance,
  formatCount,
  formatPrice,
  formatRoughly,
  parseDecimal,
} from './money.ts'

/** Replaces spaces of every kind with plain ones. */
const plain = (text: string) => text.replace(/\s/g, ' ')

describe('balance levels', () => {
  it.each([
    [4.99, 'normal'],
    [1, 'normal'],
    [0.999, 'warning'],
    [0.5, 'warning'],
    [0.499, 'critical'],
    [0, 'critical'],
    [-0.2, 'critical'],
  ])('shows %d as %s [BI-02]', (balance, level) => {
    expect(levelOf(balance)).toBe(level)
  })

  it.each([5, 62.1, null, undefined, Number.NaN])('hides %s [BI-03]', (balance) => {
    expect(levelOf(balance)).toBeNull()
  })
})

describe('money', () => {
  it('shows a balance with two decimals, rounded down [BI-01]', () => {
    expect(formatBalance(4.2, 'en')).toBe('$4.20')
    expect(formatBalance(4.999, 'en')).toBe('$4.99')
    expect(formatBalance(0.29, 'en')).toBe('$0.29')
    expect(formatBalance(-0.5, 'en')).toBe('−$0.50')
    expect(plain(formatBalance(1234.5, 'fr'))).toBe('1 234,50 $')
  })

  it('shows an amount with its sign, and with more decimals below a cent [SH-29]', () => {
    expect(formatAmount(-0.06, 'en')).toBe('−$0.06')
    expect(formatAmount(3, 'en', { isSigned: true })).toBe('+$3.00')
    expect(formatAmount(0, 'en', { isSigned: true })).toBe('$0.00')
    expect(formatAmount(-0.00042, 'en')).toBe('−$0.00042')
    expect(formatAmount(-0.0000012, 'en')).toBe('−$0.000001')
    expect(plain(formatAmount(-0.41, 'fr'))).toBe('−0,41 $')
  })

  it('shows a price per million tokens [MO-06]', () => {
    expect(formatPrice(0.1, 'en')).toBe('$0.10')
    expect(formatPrice(0.075, 'en')).toBe('$0.075')
    expect(plain(formatPrice(15, 'fr'))).toBe('15,00 $')
  })

  it('shows counts [SH-29]', () => {
    expect(formatCount(38220, 'en')).toBe('38,220')
    expect(plain(formatCount(38220, 'fr'))).toBe('38 220')
    expect(formatRoughly(3_900_000, 'en')).toBe('3.9M')
  })

  it('parses numbers with a comma or a point [MO-06]', () => {
    expect(parseDecimal('0,15')).toBe(0.15)
    expect(parseDecimal(' $1 234.5 ')).toBe(1234.5)
    expect(parseDecimal('')).toBeNull()
    expect(parseDecimal('1.2.3')).toBeNull()
    expect(parseDecimal('ten')).toBeNull()
  })
})
