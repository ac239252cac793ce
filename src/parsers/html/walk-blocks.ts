import { codeOf, listItemOf, paragraphOf, tableOf, titleOf } from '../elements/elements.ts'
import type { Element } from '../elements/port.ts'
import type { Run } from '../elements/runs.ts'
import { attribute, type Content, findElements, type HastElement, type Nodes, textBelow } from './hast.ts'
import { lookInside, replaced } from './inline.ts'
import { isAroundContent, isShown } from './is-shown.ts'
import { isData, readCells } from './tables.ts'

type Look = Omit<Run, 'text'>
/** The context of a block: its list depth, and whether it is in a quotation. */
type Place = { depth: number; marker: string | null; isQuoted: boolean }

const blocks = new Set([
  ...[
    'address',
    'article',
    'aside',
    'body',
    'center',
    'details',
    'div',
    'fieldset',
    'figcaption',
    'figure',
    'footer',
  ],
  ...[
    'form',
    'header',
    'hgroup',
    'hr',
    'html',
    'legend',
    'main',
    'nav',
    'p',
    'section',
    'summary',
    'tbody',
    'td',
    'tfoot',
  ],
  ...['th', 'thead', 'tr', 'caption', 'table', 'ul', 'ol', 'li', 'dl', 'dt', 'dd', 'pre', 'blockquote'],
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'menu'],
])

/** The elements of an HTML tree, in order. */
export function walkBlocks(root: Nodes): Element[] {
  const elements: Element[] = []
  let runs: Run[] = []
  const add = (element: Element | null) => void (element && elements.push(element))

  /** Ends the current block. A list item has its marker once. */
  const flush = (place: Place): void => {
    const gathered = runs
    runs = []
    if (place.marker !== null && place.depth > 0) {
      const item = listItemOf(gathered, place.depth - 1, place.marker)
      if (item) place.marker = null
      add(item)
      return
    }
    const paragraph = paragraphOf(gathered)
    add(paragraph && place.isQuoted ? quoted(paragraph) : paragraph)
  }

  const walk = (node: Content, look: Look, place: Place): void => {
    if (node.type === 'text') runs.push({ ...look, text: node.value.replace(/\s+/g, ' ') })
    if (node.type !== 'element' || !isShown(node) || isAroundContent(node)) return
    const instead = replaced(node, look)
    if (instead) runs.push(...instead)
    else if (!blocks.has(node.tagName)) walkAll(node, lookInside(node, look), place)
    else {
      flush(place)
      block(node, look, place)
      flush(place)
    }
  }

  const walkAll = (node: HastElement, look: Look, place: Place): void => {
    for (const child of node.children) walk(child, look, place)
  }

  const block = (node: HastElement, look: Look, place: Place): void => {
    const isQuoted = node.tagName === 'blockquote'
    if (/^h[1-6]$/.test(node.tagName)) heading(node, look, place)
    else if (node.tagName === 'pre') add(codeOf(textBelow(node), languageOf(node)))
    else if (node.tagName === 'table' && isData(node)) table(node, place)
    else if (/^(ul|ol|menu)$/.test(node.tagName)) list(node, look, place)
    else if (node.tagName === 'dl') descriptions(node, look, place)
    else {
      const inside = isQuoted ? { ...place, isQuoted } : place
      walkAll(node, look, inside)
      flush(inside)
    }
  }

  const heading = (node: HastElement, look: Look, place: Place): void => {
    walkAll(node, look, place)
    add(titleOf(runs, Number(node.tagName.slice(1))))
    runs = []
  }

  const list = (node: HastElement, look: Look, place: Place): void => {
    let number = Number(attribute(node, 'start') || 1)
    for (const child of node.children) {
      if (child.type !== 'element') continue
      const marker = node.tagName === 'ol' ? `${number}.` : '-'
      const isItem = child.tagName === 'li'
      if (isItem) number += 1
      const inside = { ...place, depth: isItem || !isList(child) ? place.depth + 1 : place.depth, marker }
      if (isItem && isShown(child)) {
        walkAll(child, look, inside)
        flush(inside)
      } else {
        walk(child, look, inside)
        flush(inside)
      }
    }
  }

  const descriptions = (node: HastElement, look: Look, place: Place): void => {
    for (const child of findElements(node, ({ tagName }) => tagName === 'dt' || tagName === 'dd')) {
      const isTerm = child.tagName === 'dt'
      const inside = { ...place, depth: place.depth + (isTerm ? 1 : 2), marker: '-' }
      // A nested list needs no item around it.
      const nested = { ...inside, depth: place.depth + 1 }
      const hasList = findElements(child, ({ tagName }) => tagName === 'dl').length > 0
      walkAll(child, isTerm ? { ...look, bold: true } : look, hasList ? nested : inside)
      flush(inside)
    }
  }

  const table = (node: HastElement, place: Place): void => {
    for (const caption of findElements(node, ({ tagName }) => tagName === 'caption')) {
      walkAll(caption, {}, place)
      flush({ ...place, marker: null })
    }
    add(tableOf(readCells(node)))
  }

  const top: Place = { depth: 0, marker: null, isQuoted: false }
  if ('children' in root) for (const child of root.children) walk(child as Content, {}, top)
  flush(top)
  return elements
}

function quoted(paragraph: Element): Element {
  return { ...paragraph, markdown: (paragraph.markdown ?? paragraph.text).replace(/^/gm, '> ') }
}

const isList = ({ tagName }: HastElement) => tagName === 'ul' || tagName === 'ol'

function languageOf(pre: HastElement): string | undefined {
  const code = findElements(pre, ({ tagName }) => tagName === 'code')[0]
  const classes = `${attribute(pre, 'className')} ${code ? attribute(code, 'className') : ''}`
  return /(?:language|lang)-([\w+#-]+)/.exec(classes)?.[1]
}
