import { expect, test } from 'vitest'
import { findIn, foldText, placeOfHit } from './fold-text.ts'

const page = (...lines: string[]) => foldText(lines.map((text) => ({ text, endsLine: true })))
const count = (query: string, ...lines: string[]) => findIn(page(...lines), query).length

test('ignores case and accents', () => {
  expect(count('révision', 'Révision et RÉVISIONS, revision', 'revise')).toBe(3)
  expect(count('REVISION', 'La révision')).toBe(1)
})

test('matches across line ends and rejoins hyphenated words', () => {
  expect(count('once a year', 'revised once', 'a   year')).toBe(1)
  expect(count('agreement', 'the agree-', 'ment of May')).toBe(1)
})

test('matches ligatures, curly quotes and non-breaking spaces with typed characters', () => {
  expect(count("l'office", 'de l’oﬃce')).toBe(1)
  expect(count('10 %', '10\u00a0%')).toBe(1)
})

test('returns the first and last piece of a hit', () => {
  const text = page('Größe der', 'Räume')
  const [hit] = findIn(text, 'der raume')
  expect(hit && placeOfHit(text, hit)).toEqual({ from: { piece: 0, offset: 6 }, to: { piece: 1, offset: 5 } })
  expect(findIn(text, ' ')).toEqual([])
})
