import { beforeAll, describe, expect, it } from 'vitest'
import { citationTag, websourceTag } from '#shared/platform/citations/citation-tags.ts'
import { createDocument, parseMarkdown } from './document.ts'
import { plainText, tableText } from './plain-text.ts'
import { loadRepair } from './repair.ts'
import type { Block, Inline, TableBlock } from './tree.ts'

beforeAll(loadRepair)

const ids = Array.from(
  { length: 120 },
  (_, at) => `${String(at).padStart(8, '0')}-0000-4000-8000-000000000000`,
)
const page = (number: number) =>
  websourceTag('https://example.com/a_b*c?d=[e]&f=', 'A *page* | `of` [mine](x)', number)
const tag = (number: number) => citationTag(ids[number] ?? '', number)

/** Returns all citation numbers and all texts with remains of a marker. */
function found(blocks: readonly Block[]) {
  const numbers: number[] = []
  const raw: string[] = []
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) node.forEach(visit)
    if (Array.isArray(node) || typeof node !== 'object' || node === null) return
    const { type, number, text } = node as { type?: string; number?: number; text?: string }
    if (type === 'citation') numbers.push(number ?? 0)
    if (type !== 'code' && typeof text === 'string' && /citation|chunk=|websource|url=/.test(text))
      raw.push(text)
    Object.values(node).forEach(visit)
  }
  visit(blocks)
  return { numbers, raw }
}

describe('citations in Markdown', () => {
  it.each([
    ['a sentence', `It is so ${tag(1)}.`, [1]],
    ['beside punctuation', `So${tag(1)}, (so ${tag(2)}); so: ${tag(3)}${tag(4)}!`, [1, 2, 3, 4]],
    ['emphasis', `**It is ${tag(1)}** and *so ${tag(2)}*, ~~no ${tag(3)}~~`, [1, 2, 3]],
    ['a list', `- one ${tag(1)}\n- two\n  1. three ${tag(2)}\n\n     more ${tag(3)}`, [1, 2, 3]],
    ['a task', `- [x] done ${tag(1)}`, [1]],
    ['a table', `| a | b ${tag(1)} |\n|---|---|\n| c ${tag(2)} | ${tag(3)} |`, [1, 2, 3]],
    ['a heading and a quote', `## Rent ${tag(1)}\n\n> so ${tag(2)}`, [1, 2]],
    ['pages of the web', `So ${page(1)}, **and ${page(2)}**\n\n| a |\n|---|\n| c ${page(3)} |`, [1, 2, 3]],
    ['a link', `[the lease ${tag(1)}](https://example.com)`, [1]],
    ['a line of its own', `${tag(1)}\n\n${tag(2)} so`, [1, 2]],
    [
      'beside a footnote and definitions',
      `So ${tag(1)}[^1] and [1].\n\n[^1]: note ${tag(2)}\n[1]: https://e.com`,
      [1, 2],
    ],
  ])('become numbers in %s', (_, text, numbers) => {
    expect(found(parseMarkdown(text))).toEqual({ numbers, raw: [] })
  })

  it('stay text inside of code', () => {
    const text = `\`${tag(1)}\`\n\n\`\`\`html\n${tag(2)}\n\`\`\`\n\n    ${tag(3)}`
    expect(found(parseMarkdown(text)).numbers).toEqual([])
    expect(JSON.stringify(parseMarkdown(text))).toContain('[3]')
  })

  it('are all parsed, however many a paragraph has', () => {
    const text = ids.map((_, number) => `word ${tag(number)}`).join(' ')
    expect(found(parseMarkdown(text))).toEqual({ numbers: ids.map((_, number) => number), raw: [] })
  })

  it('stay on the line of the preceding word', () => {
    const [paragraph] = parseMarkdown(`It is **so** ${tag(1)}, or\n${tag(2)}`)
    expect(plainText((paragraph as { children: Inline[] }).children)).toBe('It is so\u00a0[1], or\u00a0[2]')
  })

  it('become numbers in brackets in copied text', () => {
    const table = parseMarkdown(`| a |\n|---|\n| b ${tag(1)} |`)[0]
    expect(tableText(table as TableBlock)).toBe('a\nb\u00a0[1]')
  })

  it('never show part of a tag while the text grows [DS-04]', () => {
    const text = `One ${tag(1)}, **two ${tag(22)}** and\n\n| a |\n|---|\n| b ${tag(111)} |\n\nend ${tag(4)}${tag(5)}.`
    const document = createDocument()
    let most = 0
    for (let end = 1; end <= text.length; end += 1) {
      const { numbers, raw } = found(document.update(text.slice(0, end), false))
      expect(raw, text.slice(0, end)).toEqual([])
      // A number on screen never disappears.
      expect(numbers.length).toBeGreaterThanOrEqual(most)
      most = numbers.length
    }
    expect(found(document.update(text, true)).numbers).toEqual([1, 22, 111, 4, 5])
  })
})

describe('marks of a finished text', () => {
  const pieces = (text: string, ...marked: string[]) => {
    const marks = marked.map((one) => ({ at: text.indexOf(one), length: one.length }))
    const out: [number, boolean, string][] = []
    const visit = (node: unknown): void => {
      if (Array.isArray(node)) node.forEach(visit)
      if (Array.isArray(node) || typeof node !== 'object' || node === null) return
      const mark = node as Extract<Inline, { type: 'mark' }>
      if (mark.type === 'mark') out.push([mark.index, mark.isEnd, plainText(mark.children)])
      else Object.values(node).forEach(visit)
    }
    visit(parseMarkdown(text, { marks }))
    return out
  }

  it('use positions in the stored text, including citation markers', () => {
    expect(pieces(`It is ${tag(1)}. The rent is 5 ${tag(2)}. So.`, `The rent is 5 ${tag(2)}.`)).toEqual([
      [0, false, 'The rent is 5\u00a0'],
      [0, false, '[2]'],
      [0, true, '.'],
    ])
  })

  it('span emphasis, code and lists up to their end', () => {
    expect(
      pieces('One *of two* `x`. Next.\n\n- three &amp; *four*', 'One *of two* `x`.', 'three &amp; *four*'),
    ).toEqual([
      [0, false, 'One '],
      [0, false, 'of two'],
      [0, false, ' '],
      [0, false, 'x'],
      [0, true, '.'],
      [1, false, 'three & '],
      [1, true, 'four'],
    ])
  })

  it('appear at the end of the text and keep the identity of other blocks', () => {
    const document = createDocument()
    const text = 'First.\n\nSecond. Third.'
    document.update(text, false)
    const before = document.update(text, true)
    const after = document.update(text, true, [{ at: 8, length: 7 }])
    expect(after[0]).toBe(before[0])
    expect(JSON.stringify(after[1])).toContain('"mark"')
  })
})
