import { describe, expect, it } from 'vitest'
import { assertFewTags } from './xml-bounds.ts'

const bounds = { characters: 1_000_000, tags: 100, depth: 10, attributes: 5 }

describe('untrusted XML', () => {
  it.each([
    ['levels', '<a>'.repeat(11), 'The answer is too deeply nested.'],
    ['levels behind a sign in an attribute', '<a b="/>">'.repeat(11), 'The answer is too deeply nested.'],
    ['tags', '<a/>'.repeat(101), 'The answer is too large.'],
    ['attributes', `<a${' b="c"'.repeat(6)}>`, 'The answer is too large.'],
    ['characters', 'x'.repeat(1_000_001), 'The answer is too large.'],
  ])('is refused with too many %s', (_, xml, sentence) => {
    expect(() => assertFewTags(xml, bounds)).toThrow(sentence)
  })

  it('is accepted within its limits', () => {
    expect(() => assertFewTags(`<?xml?><a b='>' c="'">${'<d><e/></d>'.repeat(20)}</a>`, bounds)).not.toThrow()
  })

  it('is scanned once, whatever it contains', () => {
    const began = performance.now()
    for (const xml of ['<'.repeat(1_000_000), '<a "'.repeat(250_000), `<a ${'"'.repeat(900_000)}`])
      try {
        assertFewTags(xml, { ...bounds, tags: 1e9, depth: 1e9, attributes: 1e9 })
      } catch {}
    expect(performance.now() - began).toBeLessThan(2_000)
  })
})
