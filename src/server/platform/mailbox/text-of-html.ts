import type { DefaultTreeAdapterTypes } from 'parse5'

type Node = DefaultTreeAdapterTypes.Node

const MAX_HTML_CHARACTERS = 1_000_000
const hidden = new Set(['head', 'script', 'style', 'template', 'noscript'])
const lines = new Set([
  'br',
  'p',
  'div',
  'tr',
  'li',
  'table',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'blockquote',
])

/** Returns the visible text of the first million characters of HTML, with line breaks between its blocks. */
export async function textOfHtml(html: string): Promise<string> {
  const { parse } = await import('parse5')
  const text: string[] = []
  // Without recursion, because elements may be nested deeply.
  const rest: (Node | '\n')[] = [parse(html.slice(0, MAX_HTML_CHARACTERS))]
  for (let node = rest.pop(); node !== undefined; node = rest.pop()) {
    if (node === '\n') text.push(node)
    else if (node.nodeName === '#text' && 'value' in node) text.push(node.value.replace(/\s+/g, ' '))
    else if ('childNodes' in node && !hidden.has(node.nodeName)) {
      if (lines.has(node.nodeName)) rest.push('\n')
      rest.push(...node.childNodes.toReversed())
    }
  }
  const trimmed = text
    .join('')
    .split('\n')
    .map((line) => line.trim())
  return trimmed
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}
