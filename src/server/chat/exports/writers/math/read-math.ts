import katex from 'katex'
import { SaxesParser } from 'saxes'

/** A formula as a tree of presentation MathML. Leaves have `text`. */
export type MathNode = { name: string; text: string; children: MathNode[] }

/** Characters of a formula; longer ones stay source. */
const MAX_SOURCE = 20_000

/** Returns a formula as MathML; null for a source that is not valid. Macros name no files, and expansion is bounded. */
export function mathMarkup(tex: string, display: boolean): string | null {
  if (tex.length > MAX_SOURCE) return null
  const bounds = { strict: 'ignore', trust: false, maxExpand: 500, maxSize: 50, throwOnError: true } as const
  try {
    const html = katex.renderToString(tex, { ...bounds, output: 'mathml', displayMode: display })
    return html.slice(html.indexOf('<math'), html.lastIndexOf('</math>') + '</math>'.length)
  } catch {
    return null
  }
}

/** Returns a formula as a tree; null for a source that is not valid. */
export function readMath(tex: string, display: boolean): MathNode | null {
  const markup = mathMarkup(tex, display)
  if (markup === null) return null
  const root: MathNode = { name: 'root', text: '', children: [] }
  const open = [root]
  const parser = new SaxesParser()
  parser.on('opentag', ({ name }) => {
    const node = { name, text: '', children: [] }
    // The source is part of the markup.
    if (name !== 'annotation') open.at(-1)!.children.push(node)
    open.push(node)
  })
  parser.on('text', (text) => {
    open.at(-1)!.text += text
  })
  parser.on('closetag', () => void open.pop())
  parser.write(markup).close()
  return root
}

/** Returns the rows of a formula that is one table, such as an aligned one; else the formula as its only row. */
export function rowsOf(node: MathNode): MathNode[] {
  if (node.name === 'mtable') return node.children
  const [only] = node.children
  return only && node.children.length === 1 ? rowsOf(only) : [node]
}
