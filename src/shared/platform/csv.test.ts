import { expect, it } from 'vitest'
import { csvRow, csvStyles } from './csv.ts'

it.each([
  ['plain', 'plain'],
  ['say "hi"', '"say ""hi"""'],
  ['two\nlines', '"two\nlines"'],
  ['a;b', '"a;b"'],
  ['=HYPERLINK("http://x")', `"'=HYPERLINK(""http://x"")"`],
  ['+cmd|calc', "'+cmd|calc"],
  ['-1+1', "'-1+1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['＝1+1', "'＝1+1"],
  ['  =1', `'  =1`],
  ['\t=1', `"'\t=1"`],
  ['-12.5', '-12.5'],
  ['+3 %', '+3 %'],
])('writes the text %j as %j', (text, field) => {
  expect(csvRow([text], csvStyles.en)).toBe(`${field}\r\n`)
})

it('formats numbers and separators for the language', () => {
  expect(csvRow([-0.06, 'a', null], csvStyles.en)).toBe('-0.06,a,\r\n')
  expect(csvRow([-0.06, 'a', null], csvStyles.fr)).toBe('"-0,06";a;\r\n')
})
