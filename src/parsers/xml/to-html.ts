import type { ElementContent, Root } from 'hast'
import { frontOf, isFront } from './front.ts'
import { h, textNode, type Where, withLists } from './html-nodes.ts'
import { attributeOf, lineOf, localName, withoutChildren } from './local.ts'
import { elementsOf, textOf, type XmlNode } from './read-xml.ts'
import { isReference, referenceOf } from './references.ts'
import { cellTable, isTable } from './tables.ts'
import { formulaOf, languageOf, targetOf } from './values.ts'
import { roleOf, usualTitle } from './vocabulary.ts'

/** A text in JATS, DocBook, TEI, DITA or the like as an equivalent HTML page, which is then read like any page. */
export function toHtml(root: XmlNode): Root {
  const where: Where = { level: 1, isOfSection: true, isInline: false, language: attributeOf(root, 'lang') }
  return { type: 'root', children: inside(root, where) }
}

/** The translated content of an element. */
function inside({ children }: XmlNode, where: Where): ElementContent[] {
  return children.flatMap((child) =>
    typeof child === 'string' ? [textNode(child)] : translate(child, where),
  )
}

function translate(node: XmlNode, where: Where): ElementContent[] {
  const name = localName(node)
  const line: Where = { ...where, isInline: true, isOfSection: false }
  const block: Where = { ...where, isInline: false, isOfSection: false }
  const inLine = (tag: string) => [h(tag, inside(node, line))]
  if (isFront(name)) return frontOf(node, where, (child) => translate(child, where))
  if (isReference(name)) return [h('li', [textNode(referenceOf(node))])]
  if (isTable(name)) return cellTable(node, (cell) => inside(cell, block))
  switch (roleOf(name)) {
    case 'dropped':
      return []
    case 'section':
      return sectionOf(node, where)
    case 'title':
      return inLine(where.isOfSection ? headingTag(where) : where.isInline ? 'span' : 'p')
    case 'paragraph':
      return inLine(where.isInline ? 'span' : 'p')
    case 'quotation':
      return [h('blockquote', inside(node, block))]
    case 'bullets':
      return [h(isNumbered(node) ? 'ol' : 'ul', inside(node, block))]
    case 'item':
      return [h('li', inside(withoutChildren(node, 'label'), block))]
    case 'definitions':
      return [h('dl', inside(node, block))]
    case 'term':
      return inLine('dt')
    case 'definition':
      return [h('dd', inside(node, block))]
    case 'note':
      return noteOf(node, where, where.isInline ? line : block)
    case 'figure':
      return [h('div', captioned(node, block, line))]
    case 'code':
      return [h('pre', [textNode(textOf(node))], { className: [`language-${languageOf(node)}`] })]
    case 'formula':
      return [formulaOf(node)]
    case 'display':
      return [h('div', inside(withoutChildren(node, 'label'), line))]
    case 'bold':
      return inLine('b')
    case 'italic':
      return inLine(/bold|strong/.test(attributeOf(node, 'role') + attributeOf(node, 'rend')) ? 'b' : 'i')
    case 'typewriter':
      return textOf(node).includes('\n') ? [h('pre', [textNode(textOf(node))])] : inLine('code')
    case 'link':
      return [h('a', inside(node, line), { href: targetOf(node) })]
    case 'line':
      return [h('br', [])]
    case 'frame':
      return inside(node, where)
    case null:
      return otherOf(node, where)
  }
}

const headingTag = ({ level }: Where) => `h${Math.min(6, level)}`
const isNumbered = (node: XmlNode) =>
  /^(orderedlist|ol|steps|procedure|substeps)$/.test(localName(node)) ||
  /order|alpha|roman|number/.test(attributeOf(node, 'list-type') + attributeOf(node, 'rend'))

/** A section's label precedes its title; standard sections get a heading even if the file has none. */
function sectionOf(node: XmlNode, where: Where): ElementContent[] {
  const own: Where = { ...where, level: where.level + 1, isOfSection: true, isInline: false }
  const named = (name: string) => elementsOf(node).find((child) => localName(child) === name)
  const [label, title] = [named('label'), named('title') ?? named('head')]
  const said = label
    ? [lineOf(label), lineOf(title)].filter(Boolean).join(' ')
    : title
      ? ''
      : usualTitle(node, where.language)
  if (!said) return [h('section', withLists(inside(node, own)))]
  const rest = withoutChildren(node, 'label', ...(label ? ['title', 'head'] : []))
  return [h('section', [h(headingTag(own), [textNode(said)]), ...withLists(inside(rest, own))])]
}

/** A label, a title and the caption of a figure or table are one line. */
function captioned(node: XmlNode, block: Where, line: Where): ElementContent[] {
  const parts = elementsOf(node).filter((child) => /^(label|title|head|caption)$/.test(localName(child)))
  const caption = parts.flatMap((part) => [textNode(' '), ...spaced(part, line)])
  const rest = { ...node, children: node.children.filter((child) => !parts.includes(child as XmlNode)) }
  return [...(caption.length > 0 ? [h('p', caption)] : []), ...inside(rest, block)]
}

const spaced = (node: XmlNode, line: Where) =>
  node.children.flatMap((child) =>
    typeof child === 'string' ? [textNode(child)] : [textNode(' '), ...translate(child, line)],
  )

/** An inline note is put in brackets. */
function noteOf(node: XmlNode, { isInline }: Where, own: Where): ElementContent[] {
  const content = inside(withoutChildren(node, 'label'), own)
  return isInline
    ? [h('span', [textNode(' ('), ...content, textNode(')')])]
    : [h(localName(node) === 'note' ? 'blockquote' : 'p', content)]
}

/** Among unknown elements, one with a title is a section; of several alternatives one is enough. */
function otherOf(node: XmlNode, where: Where): ElementContent[] {
  const name = localName(node)
  if (name === 'alternatives') {
    const forms = elementsOf(node)
    const best =
      forms.find((one) => localName(one) === 'tex-math') ?? forms.find((one) => localName(one) === 'table')
    const chosen = best ?? forms[0]
    return chosen ? translate(chosen, where) : []
  }
  // The definition of a DocBook term.
  if (name === 'varlistentry')
    return elementsOf(node).map((child) =>
      localName(child) === 'listitem'
        ? h('dd', inside(child, { ...where, isInline: false, isOfSection: false }))
        : h('dt', inside(child, { ...where, isInline: true, isOfSection: false })),
    )
  if (where.isInline) return [h('span', inside(node, where))]
  const isNamed = elementsOf(node).some((child) => roleOf(localName(child)) === 'title')
  return isNamed
    ? sectionOf(node, where)
    : [h('div', withLists(inside(node, { ...where, isOfSection: false })))]
}
