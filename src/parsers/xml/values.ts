import type { ElementContent } from 'hast'
import { h, textNode } from './html-nodes.ts'
import { attributeOf, lineOf, localName } from './local.ts'
import { textOf, type XmlNode } from './read-xml.ts'

const BEGIN = '\\begin{document}'
const END = '\\end{document}'

/** A formula in TeX or MathML, without the document preamble some programs add to TeX. */
export function formulaOf(node: XmlNode): ElementContent {
  if (localName(node) === 'math')
    return h('math', [textNode(textOf(node))], { alttext: attributeOf(node, 'alttext') })
  const text = textOf(node)
  const [start, end] = [text.indexOf(BEGIN), text.lastIndexOf(END)]
  const body = start >= 0 && end > start ? text.slice(start + BEGIN.length, end) : text
  return h('math', [], { alttext: body.trim().replace(/^\$\$?|\$\$?$/g, '') })
}

export const languageOf = (node: XmlNode) =>
  attributeOf(node, 'language') || attributeOf(node, 'code-type') || attributeOf(node, 'outputclass')

/** The target of a link, if it leads outside the document. */
export function targetOf(node: XmlNode): string {
  const target = attributeOf(node, 'href') || attributeOf(node, 'url') || attributeOf(node, 'target')
  if (localName(node) === 'email') return `mailto:${lineOf(node)}`
  return /^https?:/i.test(target) ? target : ''
}
