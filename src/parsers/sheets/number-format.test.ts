import { describe, expect, it } from 'vitest'
import { showNumber } from './number-format.ts'

describe('showNumber', () => {
  it.each([
    [1234.5, 'General', '1234.5'],
    [0.1 + 0.2, 'General', '0.3'],
    [1e20, 'General', '1E+20'],
    [1234567.891, '#,##0.00', '1,234,567.89'],
    [1.005, '0.00', '1.01'],
    [-5, '0.00;(0.00)', '(5.00)'],
    [-5.4, '0', '-5'],
    [-0.2, '0', '0'],
    [0, '0;-0;"none"', 'none'],
    [0.256, '0.0%', '25.6%'],
    [12_345, '0.00E+00', '1.23E+04'],
    [1.5, '# ?/?', '1 1/2'],
    [1234, '[$€-40C] #,##0', '€ 1,234'],
    [1234, '[Red]#,##0 "pcs"', '1,234 pcs'],
    [7, '000', '007'],
    [1_500_000, '0.0,,"M"', '1.5M'],
    [42, '@', '42'],
    [45352, 'yyyy-mm-dd', '2024-03-01'],
    [45352.75, 'dd/mm/yyyy hh:mm', '01/03/2024 18:00'],
    [45352.75, 'd mmm yy h:mm AM/PM', '1 Mar 24 6:00 PM'],
    [1.5, '[h]:mm:ss', '36:00:00'],
    [0.0007, 'mm:ss', '01:00'],
    [59, 'yyyy-mm-dd', '1900-02-28'],
    [61, 'yyyy-mm-dd', '1900-03-01'],
  ])('shows %d in %s', (value, code, shown) => {
    expect(showNumber(value, code, false).text).toBe(shown)
  })

  it('counts days from 1904 where a file does', () => {
    expect(showNumber(43_890, 'yyyy-mm-dd', true)).toEqual({ text: '2024-03-01', kind: 'd' })
  })
})
