import { beforeAll, expect, it } from 'vitest'
import { createDocument, parseMarkdown } from './document.ts'
import { loadRepair } from './repair.ts'

beforeAll(loadRepair)

/** Declared here because the web's types lack Node; the test needs the CPU time of its thread. */
declare const process: { threadCpuUsage(since?: CpuUsage): CpuUsage }
type CpuUsage = { user: number; system: number }

const lines = (make: (at: number) => string) => (length: number) => {
  let text = ''
  for (let at = 0; text.length < length; at += 1) text += make(at)
  return text
}
it('does not expand a few characters into a huge empty table', () => {
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
    '\\begin{align}',
    '\\begin{align}\\begin{split}',
    '\\ce{',
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
/** Measures CPU time of this thread, in milliseconds. */
function timeOf(text: string): number {
  const start = process.threadCpuUsage()
  parseMarkdown(text)
  return process.threadCpuUsage(start).user / 1000
}

// Retried, because other work can disturb a measurement.
it.each(shapes)('parses in linear time: %s', { retry: 3 }, (_, make) => {
  const more = timeOf(make(12_000))
  // Four times the input takes four times as long when linear, sixteen times when quadratic. Short times are ignored.
  expect(more < 60 || more / timeOf(make(3000)) < 10).toBe(true)
})

it('keeps the first marks of a crowded paragraph and shows further ones as text', () => {
  const [paragraph] = parseMarkdown('**a** '.repeat(600))
  expect(paragraph).toMatchObject({ type: 'paragraph' })
  expect(
    paragraph!.type === 'paragraph' && paragraph.children.filter(({ type }) => type === 'strong').length,
  ).toBeGreaterThan(200)
  expect(JSON.stringify(paragraph)).toContain('**a**')
})

it('shows deeply nested lines as source and parses the following ones', () => {
  const deep = '> '.repeat(60)
  expect(parseMarkdown(`a\n\n${deep}b\n${deep}c\n\n*d*`)).toEqual([
    { type: 'paragraph', children: [{ type: 'text', text: 'a' }] },
    { type: 'plain', text: `${deep}b\n${deep}c` },
    { type: 'paragraph', children: [{ type: 'emphasis', children: [{ type: 'text', text: 'd' }] }] },
  ])
  expect(parseMarkdown(`\`\`\`\n${deep}\n\`\`\``)).toMatchObject([{ type: 'code', text: deep }])
})

it('gives the same result while the text grows', () => {
  const text = `a\n\n${'- '.repeat(60)}b\n\n*c*\n`
  const growing = createDocument()
  for (let end = 1; end < text.length; end += 7) growing.update(text.slice(0, end), false)
  expect(growing.update(text, true)).toEqual(parseMarkdown(text))
})
