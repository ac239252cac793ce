import {
  directionOfBlock,
  directionOfBlocks,
  directionOfInlines,
} from '#shared/platform/markdown/direction.ts'
import type { Block, Inline, ListBlock, TableBlock } from '#shared/platform/markdown/tree.ts'
import type { ChatDocument, Entry, Part, Picture } from '../chat/chat-document.ts'
import { safeLink } from './links.ts'
import { mathMarkup } from './math/read-math.ts'
import { describeNote } from './note-words.ts'
import { escapeHtml, pageHead } from './page-head.ts'

/** Writes a chat as a self-contained page: no script, no external address, embedded pictures. */
export function* writeHtml(document: ChatDocument): Generator<string> {
  yield pageHead(document.title, document.language)
  yield `<h1 dir="auto">${escapeHtml(document.title)}</h1>\n<p class="quiet">${escapeHtml(document.byline)}</p>\n`
  for (const { title, entries } of document.chapters) {
    if (title !== null) yield `<h2 dir="auto">${escapeHtml(title)}</h2>\n`
    for (const entry of entries) yield entryOf(entry, document)
  }
  if (document.notes.length > 0) {
    yield '<ol class="notes">\n'
    for (const note of document.notes) {
      const { lead, rest } = describeNote(note, document.language)
      const link = /^https?:/.test(note.url) ? linkOf(note.url, escapeHtml(lead)) : escapeHtml(lead)
      yield `<li id="note-${note.number}">${link}${escapeHtml(rest)}</li>\n`
    }
    yield '</ol>\n'
  }
  yield '</body>\n</html>\n'
}

function entryOf({ author, time, parts }: Entry, document: ChatDocument): string {
  const body = parts.map((part) => partOf(part, document)).join('')
  return `<h3>${escapeHtml(author)} <span class="quiet">${escapeHtml(time)}</span></h3>\n${body}`
}

function partOf(part: Part, document: ChatDocument): string {
  switch (part.kind) {
    case 'text':
      return part.blocks.map((block) => blockOf(block, document)).join('')
    case 'steps':
      return `<p class="quiet">${part.lines.map(escapeHtml).join('<br>')}</p>\n`
    case 'picture':
      return `<p>${imageOf(part.address, part.alt, document)}</p>\n`
    case 'notice':
      return `<p class="quiet"><em>${escapeHtml(part.text)}</em></p>\n`
    default:
      return part satisfies never
  }
}

function blockOf(block: Block, document: ChatDocument): string {
  const inlines = (nodes: Inline[]) => nodes.map((node) => inlineOf(node, document)).join('')
  const blocks = (children: Block[]) => children.map((child) => blockOf(child, document)).join('')
  switch (block.type) {
    case 'paragraph':
      return `<p${dirOf(directionOfInlines(block.children))}>${inlines(block.children)}</p>\n`
    case 'heading': {
      const level = Math.min(6, block.level + 3)
      return `<h${level} dir="auto">${inlines(block.children)}</h${level}>\n`
    }
    case 'code':
    case 'html':
    case 'plain':
      return `<pre dir="ltr"><code>${escapeHtml(block.text)}</code></pre>\n`
    case 'math':
      return `<p dir="ltr">${mathMarkup(block.tex, true) ?? `<code>${escapeHtml(block.tex)}</code>`}</p>\n`
    case 'list':
      return listOf(block, blocks)
    case 'quote':
      return `<blockquote${dirOf(directionOfBlock(block))}>${blocks(block.children)}</blockquote>\n`
    case 'table':
      return tableOf(block, inlines)
    case 'rule':
      return '<hr>\n'
    case 'footnotes':
      return block.items
        .map(({ number, children }) => `<p class="quiet">(${number})</p>${blocks(children)}`)
        .join('')
    default:
      return block satisfies never
  }
}

const dirOf = (direction: 'ltr' | 'rtl' | null) => (direction === null ? '' : ` dir="${direction}"`)

function listOf(list: ListBlock, blocks: (children: Block[]) => string): string {
  const { ordered, start, items } = list
  const dir = dirOf(directionOfBlock(list))
  const box = (checked: boolean | null) => (checked === null ? '' : checked ? '☒ ' : '☐ ')
  const rows = items
    .map(
      ({ checked, children }) =>
        `<li${dirOf(directionOfBlocks(children))}>${box(checked)}${blocks(children)}</li>`,
    )
    .join('\n')
  return ordered ? `<ol${dir} start="${start}">${rows}</ol>\n` : `<ul${dir}>${rows}</ul>\n`
}

function tableOf(table: TableBlock, inlines: (nodes: Inline[]) => string): string {
  const { head, rows, align } = table
  const dir = (cell: Inline[] | undefined) => dirOf(directionOfInlines(cell ?? []))
  const row = (cells: Inline[][], tag: 'th' | 'td') =>
    `<tr>${head
      .map(
        (_, at) =>
          `<${tag}${dir(cells[at])}${align[at] ? ` style="text-align:${align[at]}"` : ''}>${inlines(cells[at] ?? [])}</${tag}>`,
      )
      .join('')}</tr>`
  return `<table${dirOf(directionOfBlock(table))}><thead>${row(head, 'th')}</thead><tbody>${rows.map((cells) => row(cells, 'td')).join('\n')}</tbody></table>\n`
}

function inlineOf(node: Inline, document: ChatDocument): string {
  const children = (nodes: Inline[]) => nodes.map((child) => inlineOf(child, document)).join('')
  switch (node.type) {
    case 'text':
      return escapeHtml(node.text)
    case 'code':
      return `<code dir="ltr">${escapeHtml(node.text)}</code>`
    case 'math':
      return mathMarkup(node.tex, node.display) ?? `<code>${escapeHtml(node.tex)}</code>`
    case 'strong':
      return `<strong>${children(node.children)}</strong>`
    case 'emphasis':
      return `<em>${children(node.children)}</em>`
    case 'delete':
      return `<del>${children(node.children)}</del>`
    case 'sub':
    case 'sup':
    case 'kbd':
      return `<${node.type}>${children(node.children)}</${node.type}>`
    case 'link': {
      const link = safeLink(node.url)
      return link ? linkOf(link, children(node.children)) : children(node.children)
    }
    case 'image':
      return imageOf(node.url, node.alt, document)
    case 'break':
      return '<br>'
    case 'footnote-reference':
      return `<sup>(${node.number})</sup>`
    case 'citation':
      return `<sup><a href="#note-${node.number}">${node.number}</a></sup>`
    case 'mark':
    case 'custom':
      return children(node.children)
    default:
      return node satisfies never
  }
}

const linkOf = (url: string, words: string) => `<a href="${escapeHtml(url)}" rel="noreferrer">${words}</a>`

function imageOf(address: string, alt: string, { images, words }: ChatDocument): string {
  const picture = images[address]
  if (!picture) return `<em>${escapeHtml(words.image.replace('{{alt}}', alt))}</em>`
  return `<img src="${dataOf(picture)}" alt="${escapeHtml(alt)}">`
}

const dataOf = ({ type, bytes }: Picture) =>
  `data:image/${type === 'jpg' ? 'jpeg' : 'png'};base64,${Buffer.from(bytes).toString('base64')}`
