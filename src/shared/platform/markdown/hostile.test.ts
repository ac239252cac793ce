import { expect, it } from 'vitest'
import { createDocument, parseMarkdown } from './document.ts'

/** The web knows no Node; this test needs its clock of a thread. */
declare const process: { threadCpuUsage(since?: CpuUsage): CpuUsage }
type CpuUsage = { user: number; system: number }

const lines = (make: (at: number) => string) => (length: number) => {
  let text = ''
  for (let at = 0; text.length < length; at += 1) text += make(at)
  return text
}
it('a table of a few characters does not become a page of empty cells', () => {
  const [table] = parseMarkdown(`${'|a'.repeat(150)}\n${'|-'.repeat(150)}\n${'x\n'.repeat(1000)}`)
  const cells = table?.type === 'table' ? table.rows.flat().length : 0
  expect(cells).toBe(1000)
})

const words = [
  ...[
    '- ',
    '> ',
    '>',
    '|',
    '| a ',
    '[',
    '![',
    '*',
    '_',
    '`',
    '<',
    '&',
    '&#',
    '*a ',
    '*a_ ',
    'a**b',
    '*_',
    '**a *b ',
  ],
  ...[
    '[a](',
    '](',
    '[a](b) ',
    '[a](<',
    '[a]("',
    '[^1]: ',
    '<!--',
    '<a ',
    '<kbd>',
    '~~a',
    '~a',
    '$$',
    '$a',
    '\\(',
    '\\[',
  ],
  ...['1. ', '- > ', '> - ', '# ', 'a@', 'www.', 'http://a.b ', '\\', '\t', ' '],
]
const shapes: [string, (length: number) => string][] = [
  ...words.map((word): [string, (length: number) => string] => [
    `${word} on one line`,
    (n) => word.repeat(n / word.length),
  ]),
  ...words.map((word): [string, (length: number) => string] => [
    `${word} on many lines`,
    lines(() => `${word.repeat(9)}\n`),
  ]),
  ['a list that nests by its indent', lines((at) => `${' '.repeat(2 * at)}- a\n`)],
  ['a quote that nests', lines((at) => `${'> '.repeat(at)}a\n`)],
  ['a deep quote that goes on', (n) => `${'> '.repeat(400)}a\n${'a\n'.repeat(n / 2)}`],
  ['marks of every length', lines((at) => `${'`'.repeat(at)} `)],
  ['footnotes', lines((at) => `[^${at}]\n\n[^${at}]: a\n\n`)],
  ['definitions', lines((at) => `[a${at}]\n\n[a${at}]: b\n\n`)],
  ['a table of many columns', (n) => `${'|a'.repeat(n / 4)}\n${'|-'.repeat(n / 4)}\n`],
  ['a table of empty rows', (n) => `${'|a'.repeat(150)}\n${'|-'.repeat(150)}\n${'x\n'.repeat(n / 2)}`],
  ['brackets that close', (n) => '[a'.repeat(n / 4) + ']'.repeat(n / 2)],
]
/** The time of this thread alone, in milliseconds. */
function timeOf(text: string): number {
  const start = process.threadCpuUsage()
  parseMarkdown(text)
  return process.threadCpuUsage(start).user / 1000
}

// A measurement that others disturbed is made again.
it.each(shapes)('the time grows with the text: %s', { retry: 3 }, (_, make) => {
  const more = timeOf(make(12_000))
  // Linear is four times, the square sixteen; what is done at once may grow as it likes.
  expect(more < 60 || more / timeOf(make(3000)) < 10).toBe(true)
})

it('keeps the marks of a paragraph that has many, and shows further ones as they are', () => {
  const [paragraph] = parseMarkdown('**a** '.repeat(600))
  expect(paragraph).toMatchObject({ type: 'paragraph' })
  expect(
    paragraph!.type === 'paragraph' && paragraph.children.filter(({ type }) => type === 'strong').length,
  ).toBeGreaterThan(200)
  expect(JSON.stringify(paragraph)).toContain('**a**')
})

it('shows lines that nest too deep as they are, and reads the next ones', () => {
  const deep = '> '.repeat(60)
  expect(parseMarkdown(`a\n\n${deep}b\n${deep}c\n\n*d*`)).toEqual([
    { type: 'paragraph', children: [{ type: 'text', text: 'a' }] },
    { type: 'plain', text: `${deep}b\n${deep}c` },
    { type: 'paragraph', children: [{ type: 'emphasis', children: [{ type: 'text', text: 'd' }] }] },
  ])
  expect(parseMarkdown(`\`\`\`\n${deep}\n\`\`\``)).toMatchObject([{ type: 'code', text: deep }])
})

it('is the same while it grows', () => {
  const text = `a\n\n${'- '.repeat(60)}b\n\n*c*\n`
  const growing = createDocument()
  for (let end = 1; end < text.length; end += 7) growing.update(text.slice(0, end), false)
  expect(growing.update(text, true)).toEqual(parseMarkdown(text))
})
