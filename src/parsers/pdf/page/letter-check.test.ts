import { describe, expect, it } from 'vitest'
import { buildPdf, write } from '#tests/pdf.ts'
import { readBytes } from '#tests/reading.ts'
import { parse } from '../parse.ts'
import { checkLetters } from './drawn-letters.ts'

const read = (content: string[], pipeline: 'normal' | 'low_latency' = 'normal') =>
  readBytes(parse, 'pdf', buildPdf([{ width: 600, height: 800, content }]), { pipeline })

const counts = (text: string) => {
  const all = new Map<string, number>()
  for (const letter of text) all.set(letter, (all.get(letter) ?? 0) + 1)
  return all
}

describe('parse', () => {
  it('finds all drawn letters of a plain page in its text', async () => {
    const { letters, warnings } = await read([
      write(60, 760, 'The office con-'),
      write(60, 748, 'siders the offer.'),
      // Drawn twice to look bold.
      write(60, 700, 'Total 1,450'),
      write(60.3, 700, 'Total 1,450'),
    ])
    expect(letters).toEqual({ drawn: 47, missing: 0 })
    expect(warnings).toEqual([])
  })

  it('warns that the low-latency pipeline does not compare letters', async () => {
    const { letters, warnings } = await read([write(60, 760, 'Text')], 'low_latency')
    expect(letters).toBeNull()
    expect(warnings).toEqual([{ code: 'not_compared' }])
  })
})

describe('checkLetters', () => {
  it('counts each letter that is drawn more often than it was read', () => {
    expect(checkLetters(counts('offer'), ['o er'])).toEqual({ drawn: 5, missing: 2 })
    expect(checkLetters(counts('offer'), ['an offer'])).toEqual({ drawn: 5, missing: 0 })
  })

  it('matches unknown glyphs with letters that no known glyph accounts for', () => {
    expect(checkLetters(counts('o\ufffd\ufffder'), ['oer'])).toEqual({ drawn: 5, missing: 2 })
    expect(checkLetters(counts('o\ufffd\ufffder'), ['offer'])).toEqual({ drawn: 5, missing: 0 })
  })
})
