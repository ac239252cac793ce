import type { Element } from './port.ts'

/** The digitized document: its elements as Markdown, in reading order, and where each stands in it (UTF-16 units, end excluded). */
export type Digitized = { markdown: string; spans: (readonly [start: number, end: number])[] }

/** Joins elements to Markdown; list items follow each other closely, all else stands apart by an empty line. */
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

/** The text alone, as Markdown: without what stands at the edges of pages, without pictures and without marks. */
export function textOnly(elements: Element[]): string {
  return elements
    .filter(({ type }) => type !== 'Header' && type !== 'Footer' && type !== 'Figure')
    .map(({ text }) => text.trim())
    .filter((text) => text !== '')
    .join('\n\n')
}

/**
 * Markdown of one element. Each level of a list stands four spaces further in, which suits numbers too. Headers and footers are
 * elements, shown on the page, and no part of the text.
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
