import * as z from 'zod'
import { escapeHtml, linkHtml } from '../../requests/page-html.ts'

/** Bounds of a text: deeper or more nodes are left out. */
const [MAX_DEPTH, MAX_NODES] = [30, 50_000]

const Mark = z.object({
  type: z.string(),
  attrs: z.nullish(z.object({ href: z.nullish(z.string()) })),
})
const Attributes = z.object({
  level: z.nullish(z.number()),
  state: z.nullish(z.string()),
  text: z.nullish(z.string()),
  shortName: z.nullish(z.string()),
  timestamp: z.nullish(z.union([z.string(), z.number()])),
  url: z.nullish(z.string()),
  title: z.nullish(z.string()),
  alt: z.nullish(z.string()),
})
/** Nodes are parsed one by one, so that an unusual one does not hide the others. */
const Node = z.object({
  type: z.string(),
  text: z.nullish(z.string()),
  attrs: z.catch(z.nullish(Attributes), null),
  marks: z.catch(z.nullish(z.array(Mark)), null),
  content: z.catch(z.nullish(z.array(z.unknown())), null),
})
type Node = z.infer<typeof Node>

const elements: Record<string, string> = {
  ...{
    paragraph: 'p',
    bulletList: 'ul',
    orderedList: 'ol',
    listItem: 'li',
    taskList: 'ul',
    decisionList: 'ul',
  },
  ...{ decisionItem: 'li', blockquote: 'blockquote', panel: 'blockquote', table: 'table', tableRow: 'tr' },
  ...{ tableHeader: 'th', tableCell: 'td', caption: 'p' },
}
const marks: Record<string, string> = {
  strong: 'strong',
  em: 'em',
  code: 'code',
  strike: 's',
  underline: 'u',
}

/** Returns a document of the Atlassian Document Format as HTML; an empty text for anything else. */
export function adfHtml(document: unknown): string {
  let left = MAX_NODES
  const write = (value: unknown, depth: number): string => {
    left -= 1
    if (depth > MAX_DEPTH || left < 0) return ''
    const { data: node } = Node.safeParse(value)
    if (!node) return ''
    const inside = () => (node.content ?? []).map((one) => write(one, depth + 1)).join('')
    return nodeHtml(node, inside)
  }
  return write(document, 0)
}

function nodeHtml(node: Node, inside: () => string): string {
  const { type, text, attrs } = node
  const element = elements[type]
  if (element) return `<${element}>${inside()}</${element}>`
  switch (type) {
    case 'text':
      return markedHtml(node, escapeHtml(text ?? ''))
    case 'heading': {
      // The title of the issue is the first level.
      const level = Math.min(Math.max(Math.trunc(attrs?.level ?? 1), 1) + 1, 6)
      return `<h${level}>${inside()}</h${level}>`
    }
    case 'taskItem':
      return `<li>${attrs?.state === 'DONE' ? '☑' : '☐'} ${inside()}</li>`
    case 'codeBlock':
      return `<pre><code>${inside()}</code></pre>`
    case 'hardBreak':
      return '<br>'
    case 'rule':
      return '<hr>'
    case 'expand':
    case 'nestedExpand':
      return `${attrs?.title ? `<p>${escapeHtml(attrs.title)}</p>` : ''}${inside()}`
    case 'inlineCard':
    case 'blockCard':
    case 'embedCard':
      return attrs?.url ? linkHtml(attrs.url, escapeHtml(attrs.url)) : ''
    case 'date':
      return escapeHtml(dayOf(attrs?.timestamp))
    default:
      // Mentions, emoji, states and files have a text; others only contain nodes.
      return escapeHtml(attrs?.text ?? attrs?.shortName ?? attrs?.alt ?? '') + inside()
  }
}

function markedHtml(node: Node, html: string): string {
  return (node.marks ?? []).reduce((inner, { type, attrs }) => {
    const element = marks[type]
    if (element) return `<${element}>${inner}</${element}>`
    return type === 'link' && attrs?.href ? linkHtml(attrs.href, inner) : inner
  }, html)
}

function dayOf(timestamp: string | number | null | undefined): string {
  const date = new Date(Number(timestamp ?? Number.NaN))
  return Number.isNaN(date.getTime()) ? '' : date.toISOString().slice(0, 10)
}
