import type { List, Nodes, RootContent, Table } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import { emphasisSyntax } from '#shared/platform/markdown/emphasis-syntax.ts'
import { codeOf, tableOf } from '../elements/elements.ts'
import type { Cell, Element } from '../elements/port.ts'
import { readHtml } from '../html/read-html.ts'

/** The blocks of Markdown as elements with their source, and the facts of its front matter. */
export function readMarkdown(text: string): { elements: Element[]; facts: Record<string, string> } {
  const { source, facts } = withoutFrontMatter(text)
  const extensions = [gfm(), emphasisSyntax()]
  const tree = fromMarkdown(source, { extensions, mdastExtensions: [gfmFromMarkdown()] })
  const elements: Element[] = []
  for (const piece of joinHtml(tree.children)) addBlock(piece, 0, { source, elements })
  return { elements, facts }
}

type Where = { source: string; elements: Element[] }

function addBlock(node: RootContent, depth: number, where: Where): void {
  const { elements } = where
  const text = plain(node).trim()
  if (node.type === 'heading') {
    // Written as one line, however the source wraps it.
    const markdown = `${'#'.repeat(node.depth)} ${oneLine(sourceOfAll(node.children, where))}`
    if (text) elements.push({ type: 'Title', text, level: node.depth, markdown })
  } else if (node.type === 'list') addList(node, depth, where)
  else if (node.type === 'table') addTable(node, where)
  else if (node.type === 'code') {
    const code = codeOf(node.value, node.lang ?? undefined)
    if (code) elements.push(code)
  } else if (node.type === 'html') elements.push(...readHtml(node.value).elements)
  else if (text || node.type === 'paragraph') {
    elements.push({
      type: isPicture(node) ? 'Figure' : 'NarrativeText',
      text,
      markdown: sourceOf(node, where),
    })
  }
}

/** An item is its first block; its other content follows as separate elements. */
function addList(list: List, depth: number, where: Where): void {
  list.children.forEach((item, at) => {
    const number = list.ordered ? `${(list.start ?? 1) + at}.` : '-'
    const box = item.checked === null || item.checked === undefined ? '' : item.checked ? ' [x]' : ' [ ]'
    const [first, ...rest] = item.children
    const isText = first?.type === 'paragraph'
    if (first && isText) {
      const markdown = `${number}${box} ${oneLine(sourceOf(first, where))}`
      where.elements.push({ type: 'ListItem', text: plain(first).trim(), level: depth, markdown })
    }
    for (const child of isText ? rest : item.children) addBlock(child, depth + 1, where)
  })
}

function addTable(table: Table, where: Where): void {
  const cells: Cell[] = table.children.flatMap((row, at) =>
    row.children.map((cell, column) => ({
      row: at,
      column,
      text: plain(cell).trim(),
      ...(at === 0 && { isHeader: true }),
    })),
  )
  const element = tableOf(cells)
  if (element) where.elements.push({ ...element, markdown: sourceOf(table, where) })
}

/** Joins HTML that is split by empty lines, so that its tables are whole. */
function joinHtml(nodes: RootContent[]): RootContent[] {
  const joined: RootContent[] = []
  for (const node of nodes) {
    const before = joined.at(-1)
    if (node.type === 'html' && before?.type === 'html') before.value += `\n${node.value}`
    else joined.push(node.type === 'html' ? { ...node } : node)
  }
  return joined
}

function plain(node: Nodes): string {
  if (node.type === 'break') return '\n'
  if (node.type === 'html') return ''
  if (node.type === 'image') return node.alt ?? ''
  if ('value' in node) return node.value
  return 'children' in node ? node.children.map(plain).join(isContainer(node) ? '\n' : '') : ''
}

const isContainer = (node: Nodes) => node.type === 'blockquote' || node.type === 'footnoteDefinition'

const isPicture = (node: RootContent) =>
  node.type === 'paragraph' && node.children.length > 0 && node.children.every(({ type }) => type === 'image')

/** Joins the lines of the source. */
function oneLine(source: string): string {
  const lines = source.split('\n').map((line) => line.trim())
  return lines.filter(Boolean).join(' ')
}

function sourceOf(node: Nodes, { source }: Where): string {
  return source.slice(node.position?.start.offset ?? 0, node.position?.end.offset ?? 0)
}

function sourceOfAll(nodes: Nodes[], { source }: Where): string {
  return source.slice(nodes[0]?.position?.start.offset ?? 0, nodes.at(-1)?.position?.end.offset ?? 0)
}

/** Metadata above the text of a page, between two lines of three hyphens. */
function withoutFrontMatter(text: string): { source: string; facts: Record<string, string> } {
  const found = /^---\n([\s\S]{0,10000}?)\n(?:---|\.\.\.)(?:\n|$)/.exec(text)
  if (!found || !/^[\w-]+\s*:/m.test(found[1] ?? '')) return { source: text, facts: {} }
  const facts: Record<string, string> = {}
  for (const [, key, value] of (found[1] ?? '').matchAll(/^(title|author)\s*:\s*["']?(.*?)["']?\s*$/gm))
    if (key && value) facts[key] = value
  return { source: text.slice(found[0].length), facts }
}
