/** Of one tag, and of all that are kept, in characters. */
const TAG_MOST = 3_000
const KEPT_MOST = 60_000
const TAGS_MOST = 300

const wanted = new Set(['meta', 'link', 'title'])
/** What stands in these is text, whatever it looks like. */
const texts = new Set(['script', 'style', 'noscript', 'template', 'svg'])
const tagName = /[a-z]{1,10}/y

/**
 * The `meta`, `link` and `title` of the head of a page, as HTML. Each character is looked at once: a page that is nested without
 * end, or never closes a quote, takes no more time than any other.
 */
export function headTags(html: string): string {
  // As long as the page: other letters may have a lower case of another length.
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

/** The place behind a text; the end of the page where it is missing. */
function after(html: string, text: string, from: number): number {
  const at = html.indexOf(text, from)
  return at < 0 ? html.length : at + text.length
}

/** Where the text of a title ends, or is cut. */
function titleEnd(lower: string, from: number): number {
  const close = lower.slice(from, from + TAG_MOST).indexOf('</title')
  return from + (close < 0 ? 0 : close)
}

/** The place behind the sign that ends a tag, which may stand in its attributes as well. */
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
