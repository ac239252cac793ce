/** Maximum characters of one tag and of all kept tags. */
const TAG_MOST = 3_000
const KEPT_MOST = 60_000
const TAGS_MOST = 300

const wanted = new Set(['meta', 'link', 'title'])
/** The content of these elements is skipped. */
const texts = new Set(['script', 'style', 'noscript', 'template', 'svg'])
const tagName = /[a-z]{1,10}/y

/** Returns the `meta`, `link` and `title` tags of a page's head as HTML. Runs in linear time, also for endless nesting and unclosed quotes. */
export function headTags(html: string): string {
  // Only ASCII: lower-casing other letters may change the length, and positions must match.
  const lower = html.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
  const kept: string[] = []
  let size = 0
  for (
    let at = html.indexOf('<');
    at >= 0 && size < KEPT_MOST && kept.length < TAGS_MOST;
    at = html.indexOf('<', at)
  ) {
    const name = nameAt(lower, at + 1)
    if (name === 'body' || lower.startsWith('</head', at)) break
    if (html.startsWith('<!--', at)) at = after(html, '-->', at + 4)
    else if (texts.has(name)) at = after(lower, `</${name}`, at + 1)
    else if (wanted.has(name)) {
      const end = endOfTag(html, at + 1)
      const whole = html.slice(at, name === 'title' ? titleEnd(lower, end) : end)
      if (whole.length <= 2 * TAG_MOST) {
        kept.push(name === 'title' ? `${whole}</title>` : whole)
        size += whole.length
      }
      at = end
    } else at += 1
  }
  return kept.join('')
}

function nameAt(html: string, at: number): string {
  tagName.lastIndex = at
  return tagName.exec(html)?.[0] ?? ''
}

/** Returns the position after a text; the end of the page when it is missing. */
function after(html: string, text: string, from: number): number {
  const at = html.indexOf(text, from)
  return at < 0 ? html.length : at + text.length
}

/** Returns the end of a title's text, or the position at which it is cut. */
function titleEnd(lower: string, from: number): number {
  const close = lower.slice(from, from + TAG_MOST).indexOf('</title')
  return from + (close < 0 ? 0 : close)
}

/** Returns the position after the `>` that closes a tag; a `>` inside quotes does not. */
function endOfTag(html: string, from: number): number {
  let quote = ''
  const last = Math.min(html.length, from + TAG_MOST)
  for (let at = from; at < last; at += 1) {
    const sign = html[at] ?? ''
    if (quote !== '') {
      if (sign === quote) quote = ''
    } else if (sign === '>') return at + 1
    else if (sign === '"' || sign === "'") quote = sign
  }
  return last
}
