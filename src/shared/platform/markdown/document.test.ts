import * as fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { convertBlocks, convertFootnotes, startConversion } from './convert.ts'
import { createDocument, parseMarkdown } from './document.ts'
import { longestLine } from './hard-lines.ts'
import { parseSource } from './parse.ts'
import { loadRepair } from './repair.ts'

beforeAll(loadRepair)

const lines = [
  'A paragraph with **bold**, _italics_ and `code`.',
  '# Heading',
  'Setext',
  '===',
  '---',
  '- item',
  '  - nested',
  '   continued',
  '1. one',
  '2. two',
  '10) other marker',
  '- [ ] open',
  '- [x] done',
  '> quote',
  '> - list in quote',
  '```ts',
  'const a = 1',
  '```',
  '~~~',
  '    indented code',
  '| a | b |',
  '| - | :-: |',
  '| 1 | 2 | 3 |',
  '$$',
  'x = \\frac{1}{2}',
  '\\[',
  '\\]',
  '\\[ a + b \\]',
  'cost $5 and $6, but $x^2$ and \\(y\\)',
  '<div>html</div>',
  '[ref]: https://example.com "title"',
  "'title",
  'see [ref] and [text][ref]',
  'a note[^1]',
  '[^1]: the note',
  '    more of the note',
  '* * *',
  '<!-- comment',
  '-->',
  '20~25 and ~~gone~~',
  'https://example.com and a@b.co',
  'line with break  ',
  'é 😀 \u00a0',
  '\tTab',
  '',
  '',
  '',
  '',
]

const line = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...lines) },
  { weight: 1, arbitrary: fc.stringMatching(/^[ \-*_`~$|>#\\[\]()<>!.0-9a-c:]{0,12}$/) },
)
const repeated = fc
  .tuple(line, fc.integer({ min: 1, max: 9 }))
  .map(([text, count]) => Array(count).fill(text).join('\n'))
const source = fc.array(fc.oneof(line, repeated), { maxLength: 14 }).map((all) => all.join('\n'))
const eol = fc.constantFrom('\n', '\n', '\n', '\r\n', '\r')
const cuts = fc.array(fc.nat(), { maxLength: 30 })

function stream(text: string, at: number[], splitAfter: number) {
  const document = createDocument({ splitAfter })
  for (const cut of [...new Set(at.map((n) => n % (text.length + 1)))].sort((a, b) => a - b))
    document.update(text.slice(0, cut), false)
  return document.update(text, true)
}

describe('growing document', () => {
  it('builds the same tree for every split [BL-08]', () => {
    fc.assert(
      fc.property(source, eol, cuts, fc.constantFrom(3, 24), (text, end, at, splitAfter) => {
        const whole = text.replaceAll('\n', end)
        expect(stream(whole, at, splitAfter)).toEqual(parseMarkdown(whole))
      }),
      { numRuns: 400, seed: 20261121 },
    )
  })

  it.each([
    ['a marker in a quote right after a paragraph', 'words\n>*\nmore'],
    ['a list after indented code', '    code\n\n2. two\nmore'],
    ['a list after a tab and a blank line', '\tTab\n\n* \nmore'],
    ['indented code after an empty item', '-\n\n      deep\n      deep'],
    ['a marker inside the first item right after a paragraph', 'words\n- 2. two\n- more'],
  ])('builds the same tree for %s [BL-08]', (_, text) => {
    const every = Array.from({ length: text.length }, (_, at) => at)
    expect(stream(text, every, 3)).toEqual(parseMarkdown(text))
  })

  it('builds the same tree character by character [BL-08]', () => {
    fc.assert(
      fc.property(source, (text) => {
        const every = Array.from({ length: text.length }, (_, at) => at)
        expect(stream(text, every, 3)).toEqual(parseMarkdown(text))
      }),
      { numRuns: 15, seed: 20261121 },
    )
  })

  it('equals a plain parse when the text arrives in one piece [BL-08]', () => {
    fc.assert(
      fc.property(source, (text) => {
        const nodes = parseSource(text).children
        const conversion = startConversion(text, nodes, [])
        const direct = [...convertBlocks(nodes, conversion), ...convertFootnotes(conversion)]
        expect(parseMarkdown(text)).toEqual(direct)
      }),
      { numRuns: 500, seed: 20261121 },
    )
  })

  it('keeps the identity of blocks that are final', () => {
    const document = createDocument()
    const [first] = document.update('# One\n\ntext\n\nmore', false)
    const [again, second] = document.update('# One\n\ntext\n\nmore and more', false)
    expect(again).toBe(first)
    expect(document.update('# One\n\ntext\n\nmore and more\n\n- x', false)[1]).toBe(second)
  })

  it('keeps the identity of table rows and list items', () => {
    const document = createDocument({ splitAfter: 3 })
    let text = '| a | b |\n| - | - |\n'
    for (let row = 0; row < 10; row += 1) text += `| ${row} | x |\n`
    const [before] = document.update(text, false)
    const [after] = document.update(`${text}| 10 | y |\n`, false)
    if (before?.type !== 'table' || after?.type !== 'table') throw new Error('no table')
    expect(after.rows).toHaveLength(11)
    expect(after.rows.slice(0, 10).every((row, at) => row === before.rows[at])).toBe(true)
  })

  it('closes open syntax while more text is coming, but not in a finished text', () => {
    const document = createDocument()
    expect(document.update('a **bold', false)).toEqual([
      {
        type: 'paragraph',
        children: [
          { type: 'text', text: 'a ' },
          { type: 'strong', children: [{ type: 'text', text: 'bold' }] },
        ],
      },
    ])
    expect(document.update('a **bold', true)).toEqual([
      { type: 'paragraph', children: [{ type: 'text', text: 'a **bold' }] },
    ])
  })

  it('reads an open fence line by line and holds back a closing one', () => {
    const document = createDocument()
    document.update('```ts\nconst a', false)
    expect(document.update('```ts\nconst a = 1\n``', false)).toEqual([
      { type: 'code', lang: 'ts', meta: null, text: 'const a = 1', open: true },
    ])
    expect(document.update('```ts\nconst a = 1\n```\n', false)).toEqual([
      { type: 'code', lang: 'ts', meta: null, text: 'const a = 1', open: false },
    ])
  })

  it('shows a line of more than 20,000 characters as plain text', () => {
    const long = '*'.repeat(longestLine + 1)
    expect(parseMarkdown(`before\n${long}\n**after**`).map((block) => block.type)).toEqual([
      'paragraph',
      'plain',
      'paragraph',
    ])
    expect(stream(`a\n\n${long}\nb`, [3, 9000, 20_004, 20_005], 24)).toEqual(parseMarkdown(`a\n\n${long}\nb`))
  })

  it('stays fast on hostile text', () => {
    const started = performance.now()
    for (const piece of ['\\(', '\\[', '$', '$$', '[', '**', '`', '> ', '<a '])
      parseMarkdown(piece.repeat(9_000 / piece.length))
    expect(performance.now() - started).toBeLessThan(5_000)
  })
})
