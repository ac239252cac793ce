import { expect, it } from 'vitest'
import { isCoverage, sayCoverage } from './coverage-words.ts'

it('states the coverage and recognises its own sentence', () => {
  const all = { read: 2_000, total: 2_000 }
  expect(sayCoverage('en', all, 14)).toBe('Passages read: 2,000 of 2,000, in 14 documents.')
  expect(sayCoverage('en', { read: 1, total: 2 }, 1)).toBe('Passages read: 1 of 2, in 1 document.')
  expect(sayCoverage('fr', all, 14)).toBe('Passages lus\u202f: 2\u202f000 sur 2\u202f000, dans 14 documents.')
  for (const language of ['en', 'fr'] as const)
    for (const documents of [1, 14, 1_400])
      expect(isCoverage(sayCoverage(language, all, documents))).toBe(true)
  expect(isCoverage('Passages read: 3 of 4, in 2 documents, of which one is late.')).toBe(false)
})
