import { describe, expect, it } from 'vitest'
import { buildPdf, line, write } from '#tests/pdf.ts'
import { readBytes } from '#tests/reading.ts'
import { parse } from './parse.ts'

const read = (content: string[]) => readBytes(parse, 'pdf', buildPdf([{ width: 600, height: 800, content }]))
const rent = write(60, 760, 'The rent is 1,450 euros.')
const inWhite = ['1 1 1 rg', write(60, 740, 'The rent is 1 euro.'), '0 g']

describe('hidden text', () => {
  it.each([
    ['white', inWhite],
    ['drawn without ink', ['3 Tr', write(60, 740, 'The rent is 1 euro.'), '0 Tr']],
    ['above the page', [write(60, 900, 'The rent is 1 euro.')]],
    ['beyond the left edge', [write(-400, 740, 'The rent is 1 euro.')]],
    ['beyond the right edge', [write(700, 740, 'The rent is 1 euro.')]],
    [
      'in the colour of the area behind it',
      ['0.2 0.4 0.6 rg 50 730 300 30 re f', write(60, 740, 'The rent is 1 euro.'), '0 g'],
    ],
    ['white next to a dark area', ['0 0 0.5 rg 50 100 300 30 re f', ...inWhite]],
    ['covered', [write(60, 740, 'The rent is 1 euro.'), '0 g 50 730 300 30 re f']],
    ['clipped', ['q 0 0 5 5 re W n', write(60, 740, 'The rent is 1 euro.'), 'Q']],
    ['tiny', [write(60, 740, 'The rent is 1 euro.', { size: 0.5 })]],
  ])('marks text that is %s', async (_, hidden) => {
    const { elements, warnings } = await read([rent, ...hidden, line(60, 700, 200, 700)])
    expect(elements.map(({ text }) => text)).toEqual([
      'The rent is 1,450 euros.',
      '[Hidden text] The rent is 1 euro.',
    ])
    expect(elements[1]?.extra).toEqual({ hidden_text: true })
    expect(warnings).toEqual([{ code: 'hidden_text', values: { count: 1 } }])
  })

  it('marks every piece of a hidden text although some of its words are visible elsewhere', async () => {
    const pieces = ['1 1 1 rg', write(60, 740, 'The rent is '), write(118, 740, '1 euro.'), '0 g']
    const { elements } = await read([rent, ...pieces])
    expect(elements.map(({ text }) => text)).toEqual([
      'The rent is 1,450 euros.',
      '[Hidden text] The rent is',
      '[Hidden text] 1 euro.',
    ])
  })

  it.each([
    ['white on a dark area', ['0 0 0.5 rg 50 730 300 30 re f', ...inWhite]],
    ['black next to black areas', ['0 g 300 400 80 80 re f', write(60, 740, 'The rent is 1 euro.')]],
    [
      'black within a frame',
      ['0 g 10 10 580 780 re 20 20 560 760 re f*', write(60, 740, 'The rent is 1 euro.')],
    ],
    ['within a clip', ['q 0 700 500 80 re W n', write(60, 740, 'The rent is 1 euro.'), 'Q']],
    ['partly covered', [write(60, 740, 'The rent is 1 euro.'), '0 g 50 730 40 30 re f']],
    ['grey', ['0.85 g', write(60, 740, 'The rent is 1 euro.'), '0 g']],
  ])('does not mark text that is %s', async (_, shown) => {
    const { warnings, markdown } = await read([rent, ...shown])
    expect(warnings).toEqual([])
    expect(markdown).not.toContain('Hidden')
  })

  it.each([
    [-20, 'The', 'rent is 1 euro.'],
    [590, 'e rent is 1 euro.', 'Th'],
  ])('marks the part of a line beyond the page edge when the line begins at %s', async (left, cut, seen) => {
    const { warnings, markdown } = await read([rent, write(left, 740, 'The rent is 1 euro.')])
    expect(warnings).toEqual([{ code: 'hidden_text', values: { count: 1 } }])
    expect(markdown).toContain(seen)
    expect(markdown).toContain(`[Hidden text] ${cut}`)
  })
})
