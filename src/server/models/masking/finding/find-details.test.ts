import { describe, expect, it } from 'vitest'
import { MaskKind } from '#shared/models/masking/masking.ts'
import { freeTexts, makeLabelled, plainTexts } from '#tests/masking/labelled.ts'
import { measure } from '#tests/masking/measure.ts'
import { findDetails } from './find-details.ts'

const all = new Set(MaskKind.options)
const find = (text: string) => findDetails(text, all)
const read = (text: string) => find(text).map(({ kind, at, end }) => `${kind}: ${text.slice(at, end)}`)

describe.each(['en', 'fr', 'de'] as const)('personal details in %s', (language) => {
  it('are measured on at least 300 texts, a third of them unseen', () => {
    const [seen, unseen] = [makeLabelled(language, 'seen').length, makeLabelled(language, 'unseen').length]
    expect(seen + unseen).toBeGreaterThanOrEqual(300)
    expect(unseen / (seen + unseen)).toBeGreaterThan(0.32)
  })

  it.each(['seen', 'unseen'] as const)('are found in 95 % of %s cases, of each kind in 80 %', (part) => {
    const { recall, precision, kinds } = measure(makeLabelled(language, part), find)
    expect(recall).toBeGreaterThanOrEqual(0.95)
    expect(precision).toBeGreaterThanOrEqual(0.98)
    for (const [kind, { found, all: labelled }] of kinds)
      expect(found / labelled, kind).toBeGreaterThanOrEqual(0.8)
  })

  it('are found in 95 % of texts in freer words', () => {
    const { recall, precision } = measure(freeTexts(language), find)
    expect(recall).toBeGreaterThanOrEqual(0.95)
    expect(precision).toBeGreaterThanOrEqual(0.98)
  })

  it('are found falsely less than five times in a thousand words without any', () => {
    const plain = plainTexts(language).map((text) => ({ text, labels: [] }))
    expect(measure(plain, find).perThousand).toBeLessThan(5)
  })
})

describe('a number', () => {
  it.each([
    ['DE89 3704 0044 0532 0130 00', ['iban: DE89 3704 0044 0532 0130 00']],
    ['DE89 3704 0044 0532 0130 01', []],
    ['4111 1111 1111 1111', ['card: 4111 1111 1111 1111']],
    ['4111 1111 1111 1112', []],
    ['2 87 02 59 350 123 40', ['identity: 2 87 02 59 350 123 40']],
    ['order 4711-0815-2024, version 10.2.14, 192.168.10.254', []],
    ['It was released on 12/03/1980.', []],
    ['He was born on 12/03/1980.', ['birth: 12/03/1980']],
  ])('in “%s” is a detail only with its checksum or the words before it', (text, found) => {
    expect(read(text)).toEqual(found)
  })
})

describe('a text', () => {
  it('has only the kinds that are asked for', () => {
    const text = 'Marie Dupont, marie@example.org'
    expect(findDetails(text, new Set(['email']))).toEqual([{ kind: 'email', at: 14, end: 31 }])
  })

  it('names a person again by the surname alone', () => {
    expect(read('Nadia Quillfeather signed. Later Quillfeather left.')).toEqual([
      'person: Nadia Quillfeather',
      'person: Quillfeather',
    ])
  })

  it('of 200 kB is searched in time that grows with its length only', () => {
    const hostile = [
      'rue de la '.repeat(20_000),
      '1 2 3 '.repeat(33_000),
      'A'.repeat(200_000),
      'Marie '.repeat(33_000),
    ]
    for (const text of hostile) {
      const started = performance.now()
      find(text)
      expect(performance.now() - started).toBeLessThan(3_000)
    }
  })
})
