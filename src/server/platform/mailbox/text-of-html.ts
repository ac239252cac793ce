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
const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

/**
 * Returns the visible text of the first million characters of HTML, with line breaks between its blocks. It takes linear time and builds
 * no tree, because anyone may have written the HTML.
 */
export function textOfHtml(html: string): string {
  const source = html.slice(0, MAX_HTML_CHARACTERS)
  // Other letters may change their length in lower case.
  const lower = source.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
  const text: string[] = []
  let at = 0
  while (at < source.length) {
    const tag = source.indexOf('<', at)
    const end = tag < 0 ? source.length : tag
    text.push(source.slice(at, end).replace(/\s+/g, ' '))
    if (tag < 0) break
    const [, slash = '', name = ''] = /^<(\/?)([a-z][a-z0-9]*)/.exec(lower.slice(tag, tag + 20)) ?? []
    if (lines.has(name)) text.push('\n')
    at = endOf(lower, tag, slash === '' && hidden.has(name) ? name : '')
  }
  const readable = text.join('').replace(/&(?:#(\d{1,7})|([a-z]{2,4}));/g, decode)
  const trimmed = readable.split('\n').map((line) => line.trim())
  return trimmed
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

/** Returns where the text continues after a tag, a comment or a hidden element; the end of the text for one that does not end. */
function endOf(lower: string, tag: number, hiddenName: string): number {
  const isComment = lower.startsWith('<!--', tag)
  const from = hiddenName === '' ? tag : lower.indexOf(`</${hiddenName}`, tag)
  const last = from < 0 ? -1 : lower.indexOf(isComment ? '-->' : '>', from)
  if (last < 0) return lower.length
  return last + (isComment ? 3 : 1)
}

function decode(entity: string, code: string | undefined, name: string | undefined): string {
  if (code === undefined) return entities[name ?? ''] ?? entity
  const point = Number(code)
  return point > 0 && point <= 0x10ffff && !(point >= 0xd800 && point <= 0xdfff)
    ? String.fromCodePoint(point)
    : ''
}
