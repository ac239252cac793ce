import { describe, expect, it } from 'vitest'
import { csvStyles } from '#shared/platform/csv.ts'
import { cellsOf } from './table-cells.ts'

const valuesOf = (column: string[], language: 'en' | 'fr' = 'en') =>
  cellsOf(column, csvStyles[language]).map(({ value }) =>
    value instanceof Date ? value.toISOString().slice(0, 10) : value,
  )

describe('cells of a column', () => {
  it.each<[string, string[], (string | number)[]]>([
    ['a comma is what the column says it is', ['1,234', '12,5'], [1.234, 12.5]],
    ['or groups of thousands', ['1,234', '1,234,567.8'], [1234, 1234567.8]],
    ['of a column that writes both ways, only what is certain', ['1,234', '1,5', '1.5'], ['1,234', 1.5, 1.5]],
    [
      'money in front and behind, with its sign',
      ['$4.20', '-$4.20', '£1,000', '4.20 USD'],
      [4.2, -4.2, 1000, 4.2],
    ],
    [
      'no money of two kinds, and no number in words',
      ['$4 €', '4 pieces', '1.2.3'],
      ['$4 €', '4 pieces', '1.2.3'],
    ],
    ['percentages exactly', ['14.3 %', '−3%', '%'], [0.143, -0.03, '%']],
    [
      'codes and long numbers stay text',
      ['007', '-01', '1234567890123456'],
      ['007', '-01', '1234567890123456'],
    ],
    ['zero and what is below one are numbers', ['0', '0.5', '-0.25'], [0, 0.5, -0.25]],
    [
      'dates in words',
      ['31 Mar 2027', 'March 31, 2027', '1er mars 2027'],
      ['2027-03-31', '2027-03-31', '2027-03-01'],
    ],
    [
      'days that do not exist are text',
      ['2027-02-29', '31/04/2027', '1899-01-01'],
      ['2027-02-29', '31/04/2027', '1899-01-01'],
    ],
    [
      'of days and months the column says which is which',
      ['03/04/2027', '25/04/2027'],
      ['2027-04-03', '2027-04-25'],
    ],
    ['and nobody where it does not', ['03/04/2027'], ['03/04/2027']],
  ])('%s [XE-02]', (_, column, expected) => {
    expect(valuesOf(column)).toEqual(expected)
  })

  it('interpret commas and days in the French way [XE-02]', () => {
    expect(valuesOf(['1,234', '1 234,5'], 'fr')).toEqual([1.234, 1234.5])
    expect(valuesOf(['03/04/2027'], 'fr')).toEqual(['2027-04-03'])
  })
})
