import { afterAll, describe, expect, it } from 'vitest'
import { forgetParsed, parseBytes } from '#tests/parsed.ts'

afterAll(forgetParsed)

const source = `---
title: The plan
---
# Plan *A*

Some **bold** text
on two lines.

- one
    1. deep
- [x] two

| a | b |
| - | - |
| 1 | \`x\` |

\`\`\`ts
const a = 1
\`\`\`

![a duck](duck.png)
`

describe('markdown', () => {
  it('stores the source of each block and its plain text', async () => {
    const { elements, facts } = await parseBytes('plan.md', source)
    expect(facts).toEqual({ title: 'The plan' })
    expect(elements.map(({ type, text, markdown }) => [type, text, markdown])).toEqual([
      ['Title', 'Plan A', '# Plan *A*'],
      ['NarrativeText', 'Some bold text\non two lines.', 'Some **bold** text\non two lines.'],
      ['ListItem', 'one', '- one'],
      ['ListItem', 'deep', '1. deep'],
      ['ListItem', 'two', '- [x] two'],
      ['Table', 'a\tb\n1\tx', '| a | b |\n| - | - |\n| 1 | `x` |'],
      ['CodeSnippet', 'const a = 1', undefined],
      ['Figure', 'a duck', '![a duck](duck.png)'],
    ])
  })

  it('joins to the same Markdown', async () => {
    const { markdown } = await parseBytes('plan.md', source)
    expect(markdown).toContain('- one\n    1. deep\n- [x] two')
    expect(markdown).toContain('```ts\nconst a = 1\n```')
  })

  it('reads embedded HTML, even across empty lines', async () => {
    const { elements } = await parseBytes(
      'a.md',
      '# T\n\n<table>\n<tr><td>a</td><td>b</td></tr>\n\n<tr><td>c</td><td>d</td></tr>\n</table>\n',
    )
    expect(elements[1]?.cells).toHaveLength(4)
  })
})

describe('Markdown made to stall', () => {
  it.each([
    ['brackets', '['.repeat(2_000_000)],
    ['links', '[a](\n'.repeat(300_000)],
    ['tags', '<a>'.repeat(500_000)],
    ['quotes in quotes', `${'> '.repeat(500_000)}x`],
    ['lists in a line', `${'- '.repeat(100_000)}x`],
    ['lists in lists', Array.from({ length: 1_500 }, (_, n) => `${' '.repeat(2 * n)}- x`).join('\n')],
    ['references', '&lt;'.repeat(500_000)],
  ])('is read as plain text: %s', { timeout: 30_000 }, async (_, text) => {
    const { elements } = await parseBytes('a.md', text)
    expect(new Set(elements.map(({ type }) => type))).toEqual(new Set(['NarrativeText']))
    expect(elements.reduce((sum, element) => sum + element.text.length, 0)).toBeGreaterThan(
      text.trim().length / 2,
    )
  })

  it('does not include long texts as people write them', async () => {
    const paragraph =
      'See [the list](https://a.example) of *all* `parts` & more.\n- one\n  - two\n\n> Said.\n\n'
    const { elements } = await parseBytes('a.md', paragraph.repeat(100))
    expect(elements.filter(({ type }) => type === 'ListItem')).toHaveLength(200)
  })
})
