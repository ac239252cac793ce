import { escapeHtml, linkHtml } from '../../requests/page-html.ts'
import type { Block } from './blocks.ts'
import type { Rich } from './requests-to-notion.ts'

const lists: Record<string, string> = {
  ...{ bulleted_list_item: 'ul', numbered_list_item: 'ol', to_do: 'ul' },
}

/** Returns blocks as HTML. Blocks of a list that follow each other are one list. */
export function blocksHtml(blocks: readonly Block[]): string {
  const parts: string[] = []
  let list: string | undefined
  for (const block of blocks) {
    const next = lists[block.type]
    if (list && list !== next) parts.push(`</${list}>`)
    if (next && list !== next) parts.push(`<${next}>`)
    list = next
    parts.push(blockHtml(block))
  }
  if (list) parts.push(`</${list}>`)
  return parts.join('\n')
}

function blockHtml({ type, content, children }: Block): string {
  const text = richHtml(content.rich_text)
  const below = blocksHtml(children)
  switch (type) {
    case 'heading_1':
    case 'heading_2':
    case 'heading_3': {
      // The title of the page is the first level.
      const level = Number(type.at(-1)) + 1
      return `<h${level}>${text}</h${level}>${below}`
    }
    case 'bulleted_list_item':
    case 'numbered_list_item':
      return `<li>${text}${below}</li>`
    case 'to_do':
      return `<li>${content.checked ? '☑' : '☐'} ${text}${below}</li>`
    case 'code':
      return `<pre><code>${text}</code></pre>${captionHtml(content.caption)}`
    case 'quote':
      return `<blockquote><p>${text}</p>${below}</blockquote>`
    case 'callout':
      return `<blockquote><p>${escapeHtml(content.icon?.emoji ?? '')} ${text}</p>${below}</blockquote>`
    case 'divider':
      return '<hr>'
    case 'equation':
      return `<p><code>${escapeHtml(content.expression ?? '')}</code></p>`
    case 'table':
      return tableHtml(children, content.has_column_header === true)
    case 'child_page':
    case 'child_database':
      return `<p>${escapeHtml(content.title ?? '')}</p>`
    default:
      return `${otherHtml(content, text)}${below}`
  }
}

/** A paragraph, a toggle, a column, or a file or page that is linked. Files of Notion have addresses that expire, so only their names stay. */
function otherHtml({ caption, name, url, external }: Block['content'], text: string): string {
  const address = external?.url ?? url
  const words = richHtml(caption) || escapeHtml(name || address || '')
  const link = address ? linkHtml(address, words) : words
  return [text, link]
    .filter(Boolean)
    .map((html) => `<p>${html}</p>`)
    .join('')
}

const captionHtml = (caption: readonly Rich[] | null | undefined) =>
  caption?.length ? `<p>${richHtml(caption)}</p>` : ''

function tableHtml(rows: readonly Block[], hasHeader: boolean): string {
  const html = rows.map(({ content }, row) => {
    const tag = hasHeader && row === 0 ? 'th' : 'td'
    const cells = (content.cells ?? []).map((cell) => `<${tag}>${richHtml(cell)}</${tag}>`)
    return `<tr>${cells.join('')}</tr>`
  })
  return `<table>${html.join('\n')}</table>`
}

function richHtml(rich: readonly Rich[] | null | undefined): string {
  return (rich ?? [])
    .map(({ plain_text, href, annotations }) => {
      let html = escapeHtml(plain_text).replaceAll('\n', '<br>')
      if (annotations?.code) html = `<code>${html}</code>`
      if (annotations?.bold) html = `<strong>${html}</strong>`
      if (annotations?.italic) html = `<em>${html}</em>`
      if (annotations?.strikethrough) html = `<s>${html}</s>`
      return href ? linkHtml(href, html) : html
    })
    .join('')
}
