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

describe('math syntax', () => {
  it.each([
    ['$x$', ['x']],
    ['so $x^2 + y^2$ holds', ['x^2 + y^2']],
    ['$\\alpha$, $n$ and $a_1$', ['\\alpha', 'n', 'a_1']],
    ['$2^n$', ['2^n']],
    ['\\(a\\) and \\(b + c\\)', ['a', 'b + c']],
    ['in text $$E = mc^2$$ here', ['E = mc^2']],
    ['water is \\ce{H2O}, rust \\ce{Fe^{3+} + 3OH-}', ['\\ce{H2O}', '\\ce{Fe^{3+} + 3OH-}']],
    ['so \\begin{pmatrix}1 & 0\\end{pmatrix} is', ['\\begin{pmatrix}\n1 & 0\n\\end{pmatrix}']],
  ])('parses inline math in %s [BL-08]', (text, expected) => expect(formulas(text)).toEqual(expected))

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
    '\\begin{itemize} \\item one \\end{itemize}',
    '\\ce{H2O is not closed',
    '\\certain',
  ])('leaves prices and shell variables as text: %s [BL-08]', (text) => expect(formulas(text)).toEqual([]))

  it.each([
    ['$$\nx = 1\n$$', 'x = 1'],
    ['$$ x = 1 $$', 'x = 1'],
    ['$$x = 1$$', 'x = 1'],
    ['\\[\na\n+ b\n\\]', 'a\n+ b'],
    ['\\[ a + b \\]', 'a + b'],
    ['\\begin', null],
    [
      '\\begin{align}\na &= 1 \\\\\nb &= 2\n\\end{align}',
      '\\begin{align}\na &= 1 \\\\\nb &= 2\n\\end{align}',
    ],
    ['\\begin{align*} a &= 1 \\end{align*}', '\\begin{align*}\na &= 1 \n\\end{align*}'],
    [
      '\\begin{equation}\n\\begin{cases} 1 \\\\ 2 \\end{cases}\n\\end{equation}',
      '\\begin{equation}\n\\begin{cases} 1 \\\\ 2 \\end{cases}\n\\end{equation}',
    ],
    ['$$\na \\\\\n\n- b\n$$', 'a \\\\\n\n- b'],
    ['\\[\nx = 1 \\]', 'x = 1'],
  ])('parses display math %j [BL-08]', (text, tex) => {
    const [block] = blocks(text)
    if (tex === null) return expect(block?.type).toBe('paragraph')
    expect(block).toMatchObject({ type: 'math', open: false })
    expect(block?.type === 'math' && block.tex.trim()).toBe(tex)
  })

  it('keeps the text after an escaped bracket [BL-08]', () => {
    expect(blocks('\\[note] one\n\ntwo').map((block) => block.type)).toEqual(['paragraph', 'paragraph'])
  })

  it('marks an unfinished formula [BL-08]', () => {
    expect(blocks('$$\nx =')[0]).toMatchObject({ type: 'math', open: true })
  })

  it('parses math inside lists and quotes [BL-08]', () => {
    expect(JSON.stringify(blocks('- a\n\n  $$\n  x\n  $$\n'))).toContain('"type":"math","tex":"x"')
    expect(JSON.stringify(blocks('> \\[\n> x\n> \\]'))).toContain('"type":"math","tex":"x"')
  })

  it('recognises formulas by their content [BL-08]', () => {
    expect(['x', 'é', 'a+b', "f'", '\\pi'].every(isInlineMath)).toBe(true)
    expect(['', ' x', 'x ', '5', '10 or 20', 'word'].some(isInlineMath)).toBe(false)
  })
})
