import type { Element } from './port.ts'

/** A document as Markdown in reading order. `spans` has the position of each element, in UTF-16 units, end excluded. */
export type Digitized = { markdown: string; spans: (readonly [start: number, end: number])[] }

/** Joins elements into Markdown. An empty line separates them, except for consecutive list items. */
export function digitize(elements: Element[]): Digitized {
  const parts: string[] = []
  const spans: [number, number][] = []
  let length = 0
  let before: Element | undefined
  for (const element of elements) {
    const body = markdownOf(element)
    const gap = before === undefined || body === '' ? '' : isListed(before, element) ? '\n' : '\n\n'
    parts.push(gap, body)
    spans.push([length + gap.length, length + gap.length + body.length])
    length += gap.length + body.length
    if (body !== '') before = element
  }
  return { markdown: parts.join(''), spans }
}

/** Returns the plain text of all elements except page headers, page footers and pictures. */
export function textOnly(elements: Element[]): string {
  return elements
    .filter(({ type }) => type !== 'Header' && type !== 'Footer' && type !== 'Figure')
    .map(({ text }) => text.trim())
    .filter((text) => text !== '')
    .join('\n\n')
}

/**
 * Returns the Markdown of one element; empty for page headers and footers. Each list level is indented by four spaces, which also suits
 * numbered lists.
 */
function markdownOf(element: Element): string {
  const { type, text, markdown, level, extra } = element
  if (type === 'Header' || type === 'Footer') return ''
  if (type === 'ListItem') return `${'    '.repeat(level ?? 0)}${markdown?.trim() ?? `- ${oneLine(text)}`}`
  if (markdown !== undefined) return markdown.trim()
  if (type === 'Title') return `${'#'.repeat(Math.min(6, Math.max(1, level ?? 1)))} ${oneLine(text)}`
  if (type === 'CodeSnippet') return fence(text, extra?.language)
  if (type === 'Formula') return `$$${text.trim()}$$`
  return text.trim()
}

function isListed(before: Element, element: Element): boolean {
  return before.type === 'ListItem' && element.type === 'ListItem'
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()

function fence(text: string, language: string | number | boolean = ''): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const marks = '`'.repeat(longest + 1)
  return `${marks}${language}\n${text}\n${marks}`
}
