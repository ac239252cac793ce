import { describe, expect, it } from 'vitest'
import { buildPdf, line, write } from '#tests/pdf.ts'
import { readBytes } from '#tests/reading.ts'
import { parse } from './parse.ts'

const read = (content: string[]) => readBytes(parse, 'pdf', buildPdf([{ width: 600, height: 800, content }]))
const rent = write(60, 760, 'The rent is 1,450 euros.')
const inWhite = ['1 1 1 rg', write(60, 740, 'The rent is 1 euro.'), '0 g']

describe('text that cannot be seen', () => {
  it.each([
    ['white', inWhite],
    ['without ink', ['3 Tr', write(60, 740, 'The rent is 1 euro.'), '0 Tr']],
    ['tiny', [write(60, 740, 'The rent is 1 euro.', { size: 0.5 })]],
  ])('is marked when it is %s', async (_, hidden) => {
    const { elements, warnings } = await read([rent, ...hidden, line(60, 700, 200, 700)])
    expect(elements.map(({ text }) => text)).toEqual([
      'The rent is 1,450 euros.',
      '[Hidden text] The rent is 1 euro.',
    ])
    expect(elements[1]?.extra).toEqual({ hidden_text: true })
    expect(warnings).toEqual([{ code: 'hidden_text', values: { count: 1 } }])
  })

  it('is text like any other where an area is filled behind it', async () => {
    const { warnings, markdown } = await read([rent, '0 0 0.5 rg 50 730 300 30 re f', ...inWhite])
    expect(warnings).toEqual([])
    expect(markdown).not.toContain('Hidden')
  })
})
