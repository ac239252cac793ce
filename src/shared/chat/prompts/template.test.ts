import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fillIn, namesIn, partsOf } from './template.ts'

describe('fillIn', () => {
  it('replaces each placeholder, with or without spaces', () => {
    const values = new Map([
      ['supplier', 'Kessler'],
      ['délai', '8 jours'],
    ])
    expect(fillIn('{{supplier}}, {{ délai }}, {{supplier}}', values)).toBe('Kessler, 8 jours, Kessler')
  })

  it('never replaces a placeholder inside a value', () => {
    const values = new Map([
      ['a', '{{b}} $& {{a}}'],
      ['b', 'secret'],
    ])
    expect(fillIn('{{a}}', values)).toBe('{{b}} $& {{a}}')
  })

  it('leaves unknown placeholders and other braces as they are', () => {
    const text = '{{x}} {{}} {{ two words }} { {a} } {{a'
    expect(fillIn(text, new Map([['a', '1']]))).toBe(text)
  })

  it('returns a text without placeholders unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(fillIn(text, new Map())).toBe(text)
        const parts = partsOf(text, new Set(namesIn(text)))
        expect(parts.map((part) => ('text' in part ? part.text : part.written)).join('')).toBe(text)
      }),
    )
  })
})

describe('namesIn', () => {
  it('returns each name once, in order, without names that objects have', () => {
    expect(namesIn('{{b}} {{a}} {{ b }} {{constructor}} {{__proto__}} {{1}}')).toEqual(['b', 'a'])
  })
})
