import { describe, expect, it } from 'vitest'
import { joinLines } from '../lines/paragraphs.ts'

const join = (...lines: string[]) => joinLines(lines.map((text) => ({ text })))

describe('joinLines', () => {
  it.each([
    ['a well-', 'known fact', 'a well-known fact'],
    ['the long-', 'term plan', 'the long-term plan'],
    ['a risk-', 'based approach', 'a risk-based approach'],
    ['state-of-the-', 'art tools', 'state-of-the-art tools'],
    ['a well-', 'to-do family', 'a well-to-do family'],
    ['c’est-à-', 'dire', 'c’est-à-dire'],
  ])('keeps the hyphen of a compound: %s / %s', (first, second, whole) => {
    expect(join(first, second)).toBe(whole)
  })

  it.each([
    ['the govern-', 'ment decides', 'the government decides'],
    ['an under-', 'standing', 'an understanding'],
    ['the environ-', 'mentally best', 'the environmentally best'],
    ['they organ-', 'ized it', 'they organized it'],
    ['their pass-', 'words', 'their passwords'],
    ['die Verant-', 'wortung', 'die Verantwortung'],
    ['une consom-', 'mation', 'une consommation'],
  ])('removes the hyphen of a divided word: %s / %s', (first, second, whole) => {
    expect(join(first, second)).toBe(whole)
  })
})
