import { describe, expect, it } from 'vitest'
import type { PaletteEntry, PaletteGroup } from './entry.ts'
import { filterEntries, foldWords, groupEntries, rankOf } from './match.ts'

const entry = (title: string, group: PaletteGroup = 'page', words = ''): PaletteEntry => ({
  ...{ id: title, group, title, words, icon: null },
})

describe('matching in the palette', () => {
  it('folds case, accents and punctuation', () => {
    expect(foldWords('  Étude_de «Matérialité»-2026.pdf ')).toBe(' etude de materialite 2026 pdf')
    expect(foldWords('')).toBe('')
  })

  it.each([
    ['Lyon lease', 'lyon le', 0],
    ['Lyon lease', 'le ly', 1],
    ['Unleased', 'lease', 2],
    ['Unleased', 'ea', null],
    ['Lyon lease', 'lyon paris', null],
    ['東京の賃貸契約', '契約', 2],
  ])('ranks “%s” for “%s”', (title, typed, rank) => {
    expect(rankOf(title, typed)).toBe(rank)
  })

  it('sorts entries by rank and also finds them by their other words', () => {
    const entries = [entry('Theme', 'setting', 'dark light'), entry('Darker'), entry('Users')]
    expect(filterEntries(entries, 'dark').map(({ title }) => title)).toEqual(['Darker', 'Theme'])
  })

  it('puts the group with the best match first', () => {
    const entries = [entry('Unleased', 'session'), entry('Lease', 'prompt')]
    expect(groupEntries(entries, 'lease').map(({ group }) => group)).toEqual(['prompt', 'session'])
    expect(groupEntries(entries, '').map(({ group }) => group)).toEqual(['session', 'prompt'])
  })
})
