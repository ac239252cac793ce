import { parseMarkdown } from './document.ts'
import { parseSource } from './parse.ts'
import type { Block, Cell, Inline } from './tree.ts'

export type Example = { markdown: string; html: string; section?: string; example?: number }
export type Score = {
  total: number
  compared: number
  equal: number
  /** Number of examples with HTML from the author, which is shown as text here. */
  asText: number
  shownAsText: number
  failures: { example: Example; ours: string; expected: string }[]
}

/**
 * Compares our trees with the expected HTML of specification examples, both normalised. Ignores intended
 * differences: link attributes, code highlighting, checkbox attributes and footnote anchors.
 */
export function scoreExamples(examples: Example[]): Score {
  const score: Score = {
    total: examples.length,
    compared: 0,
    equal: 0,
    asText: 0,
    shownAsText: 0,
    failures: [],
  }
  for (const example of examples) {
    const blocks = parseMarkdown(example.markdown)
    const ours = normaliseHtml(htmlOfBlocks(blocks))
    const expected = normaliseHtml(example.html)
    const written = authorHtml(example.markdown)
    if (written.length > 0) {
      const shown = htmlOfBlocks(blocks)
      score.asText += 1
      if (written.every((html) => /^<br\b/.test(html) || shown.includes(escapeHtml(html))))
        score.shownAsText += 1
      continue
    }
    score.compared += 1
    if (ours === expected) score.equal += 1
    else score.failures.push({ example, ours, expected })
  }
  return score
}

/** Returns a tree as HTML in the form of the specifications. For comparison only, never rendered. */
export function htmlOfBlocks(blocks: Block[]): string {
  return blocks.map(htmlOfBlock).join('\n')
}

function htmlOfBlock(block: Block): string {
  switch (block.type) {
    case 'paragraph':
      return `<p>${inline(block.children)}</p>`
    case 'heading':
      return `<h${block.level}>${inline(block.children)}</h${block.level}>`
    case 'code':
      return `<pre><code>${escapeHtml(block.text)}${block.text === '' ? '' : '\n'}</code></pre>`
    case 'math':
      return `<pre><code>${escapeHtml(block.tex)}\n</code></pre>`
    case 'list': {
      const items = block.items.map(
        (item) => `<li>${checkbox(item.checked)}${itemBody(item.children, block.loose)}</li>`,
      )
      const start = block.start === 1 ? '' : ` start="${block.start}"`
      return block.ordered ? `<ol${start}>${items.join('')}</ol>` : `<ul>${items.join('')}</ul>`
    }
    case 'quote':
      return `<blockquote>${htmlOfBlocks(block.children)}</blockquote>`
    case 'table':
      return `<table><thead>${row(block.head, 'th', block.align)}</thead>${
        block.rows.length > 0
          ? `<tbody>${block.rows.map((cells) => row(cells, 'td', block.align)).join('')}</tbody>`
          : ''
      }</table>`
    case 'rule':
      return '<hr />'
    case 'html':
    case 'plain':
      return `<p>${escapeHtml(block.text)}</p>`
    case 'footnotes':
      return `<section><ol>${block.items.map((item) => `<li>${htmlOfBlocks(item.children)}</li>`).join('')}</ol></section>`
  }
}

function itemBody(children: Block[], loose: boolean): string {
  return children
    .map((child) => (!loose && child.type === 'paragraph' ? inline(child.children) : htmlOfBlock(child)))
    .join('\n')
}

function checkbox(checked: boolean | null): string {
  return checked === null ? '' : '<input type="checkbox" /> '
}

function row(cells: Cell[], tag: 'th' | 'td', align: (string | null)[]): string {
  return `<tr>${cells.map((cell, at) => `<${tag}${align[at] ? ` align="${align[at]}"` : ''}>${inline(cell)}</${tag}>`).join('')}</tr>`
}

function inline(nodes: Inline[]): string {
  return nodes.map(htmlOfInline).join('')
}

const tagOf = { strong: 'strong', emphasis: 'em', delete: 'del', kbd: 'kbd', sub: 'sub', sup: 'sup' } as const

function htmlOfInline(node: Inline): string {
  switch (node.type) {
    case 'text':
      return escapeHtml(node.text)
    case 'code':
      return `<code>${escapeHtml(node.text)}</code>`
    case 'math':
      return `<code>${escapeHtml(node.tex)}</code>`
    case 'link':
      return `<a href="${escapeHtml(node.url)}"${title(node.title)}>${inline(node.children)}</a>`
    case 'image':
      return `<img src="${escapeHtml(node.url)}" alt="${escapeHtml(node.alt)}"${title(node.title)} />`
    case 'break':
      return '<br />\n'
    case 'footnote-reference':
      return `<sup>${node.number}</sup>`
    case 'citation':
      return `[${node.number}]`
    case 'mark':
    case 'custom':
      return inline(node.children)
    default:
      return `<${tagOf[node.type]}>${inline(node.children)}</${tagOf[node.type]}>`
  }
}

function title(text: string | null): string {
  return text === null ? '' : ` title="${escapeHtml(text)}"`
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

/** Returns the pieces of HTML in a Markdown text. */
function authorHtml(markdown: string): string[] {
  const visit = (node: { type: string; value?: string; children?: unknown[] }): string[] =>
    node.type === 'html'
      ? [node.value ?? '']
      : (node.children ?? []).flatMap((child) => visit(child as { type: string }))
  return visit(parseSource(markdown))
}

function normaliseHtml(html: string): string {
  return html
    .replace(/<sup class="footnote-ref"><a [^<>]*>(\d+)<\/a><\/sup>/g, '<sup>$1</sup>')
    .replace(/(?<!\s)\s*<a href="#fnref[^<>]*>[^<]*(?:<sup[^<]*<\/sup>)?<\/a>/g, '')
    .replace(/<section[^<>]*>/g, '<section>')
    .replace(/<li id="fn[^<>]*>/g, '<li>')
    .replace(/<input [^<>]*>\s*/g, '<input /> ')
    .replace(/<code class="[^"]*">/g, '<code>')
    .replace(/ style="text-align: ?(\w+);?"/g, ' align="$1"')
    .replace(/href="([^"]*)"|src="([^"]*)"/g, (_, href: string, src: string) =>
      href === undefined ? `src="${decodeUrl(src)}"` : `href="${decodeUrl(href)}"`,
    )
    .replace(/&quot;/g, '"')
    .replace(/(<\/?(?:p|ul|ol|li|blockquote|table|thead|tbody|tr|th|td|hr|h\d|pre|section)[^<>]*>)\s+/g, '$1')
    .replace(/(?<!\s)\s+(<\/?(?:p|ul|ol|li|blockquote|table|thead|tbody|tr|th|td|hr|h\d|section)\b)/g, '$1')
    .replace(/<tbody><\/tbody>/g, '')
    .trim()
}

function decodeUrl(url: string): string {
  try {
    return decodeURI(url).replace(/%5B/gi, '[').replace(/%5D/gi, ']')
  } catch {
    return url
  }
}
