import { describe, expect, it } from 'vitest'
import { parseMarkdown } from './document.ts'
import { isInlineMath } from './math-syntax.ts'
import type { Block, Inline } from './tree.ts'

const inlines = (text: string): Inline[] => {
  const [block] = parseMarkdown(text)
  return block && 'children' in block ? (block.children as Inline[]) : []
}
const formulas = (text: string) => inlines(text).flatMap((node) => (node.type === 'math' ? [node.tex] : []))
const blocks = (text: string): Block[] => parseMarkdown(text)

describe('math', () => {
  it.each([
    ['$x$', ['x']],
    ['so $x^2 + y^2$ holds', ['x^2 + y^2']],
    ['$\\alpha$, $n$ and $a_1$', ['\\alpha', 'n', 'a_1']],
    ['$2^n$', ['2^n']],
    ['\\(a\\) and \\(b + c\\)', ['a', 'b + c']],
    ['in text $$E = mc^2$$ here', ['E = mc^2']],
  ])('BL-08 reads inline math in %s', (text, expected) => expect(formulas(text)).toEqual(expected))

  it.each([
    'costs $5 and $6',
    'from $5-$10 a day',
    'US$ 3 and CA$ 4',
    '$HOME and $PATH',
    '$USER:$PATH/bin',
    '$ x $',
    '$5$',
    'paid $1,200.50 (then $900)',
    '`$x$` is code',
    '\\$x$',
    'a literal \\(',
  ])('BL-08 leaves money and shell alone: %s', (text) => expect(formulas(text)).toEqual([]))

  it.each([
    ['$$\nx = 1\n$$', 'x = 1'],
    ['$$ x = 1 $$', 'x = 1'],
    ['$$x = 1$$', 'x = 1'],
    ['\\[\na\n+ b\n\\]', 'a\n+ b'],
    ['\\[ a + b \\]', 'a + b'],
    ['\\begin', null],
    ['$$\na \\\\\n\n- b\n$$', 'a \\\\\n\n- b'],
    ['\\[\nx = 1 \\]', 'x = 1'],
  ])('BL-08 reads display math %j', (text, tex) => {
    const [block] = blocks(text)
    if (tex === null) return expect(block?.type).toBe('paragraph')
    expect(block).toMatchObject({ type: 'math', open: false })
    expect(block?.type === 'math' && block.tex.trim()).toBe(tex)
  })

  it('BL-08 keeps text after an opening bracket that is only escaped', () => {
    expect(blocks('\\[note] one\n\ntwo').map((block) => block.type)).toEqual(['paragraph', 'paragraph'])
  })

  it('BL-08 marks a formula that is still being written', () => {
    expect(blocks('$$\nx =')[0]).toMatchObject({ type: 'math', open: true })
  })

  it('BL-08 reads math inside lists and quotes', () => {
    expect(JSON.stringify(blocks('- a\n\n  $$\n  x\n  $$\n'))).toContain('"type":"math","tex":"x"')
    expect(JSON.stringify(blocks('> \\[\n> x\n> \\]'))).toContain('"type":"math","tex":"x"')
  })

  it('BL-08 knows what only formulas have', () => {
    expect(['x', 'é', 'a+b', "f'", '\\pi'].every(isInlineMath)).toBe(true)
    expect(['', ' x', 'x ', '5', '10 or 20', 'word'].some(isInlineMath)).toBe(false)
  })
})
