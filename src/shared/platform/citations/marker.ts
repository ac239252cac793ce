/** What stands at the beginning of a text: a marker that names passages by number or by id, what may become one, or neither. */
export type Marker =
  | { kind: 'marker'; length: number; numbers: number[]; ids: string[] }
  | { kind: 'partial' }
  | { kind: 'none' }

/** Longer than any marker; the address of a page makes one long. */
export const MARKER_MAX = 200
const WEBSOURCE_MAX = 2_600

const NONE: Marker = { kind: 'none' }
const PARTIAL: Marker = { kind: 'partial' }
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi

/** Reads a marker from the beginning of a text; `isEnd` when nothing follows the text. */
export function readMarker(text: string, isEnd: boolean): Marker {
  const found = text[0] === '<' ? readTag(text, isEnd) : readBrackets(text, isEnd)
  const most = text.startsWith('<websource ') ? WEBSOURCE_MAX : MARKER_MAX
  return found === PARTIAL && (isEnd || text.length > most) ? NONE : found
}

/** `[1]`, `[1, 3]`, `[2-4]`, `[^1]`, `[Source 1]`, `【1†page 2】`. */
const INSIDE =
  /^\^?(?:(?:source|passage|document|doc|ref)s?\s?)?(\d{1,3}(?:\s?[,;–-]\s?\d{1,3}){0,20})(?:†.{0,60})?$/i
/** What may still become the inside of one. */
const BEGUN = /^\^?(?:[a-z]{0,9}\s?)?(?:\d[\d\s,;–-]{0,90}(?:†.{0,60})?)?$/i

function readBrackets(text: string, isEnd: boolean): Marker {
  const close = text[0] === '【' ? '】' : ']'
  const end = text.indexOf(close)
  if (end === -1) return BEGUN.test(text.slice(1)) ? PARTIAL : NONE
  const list = INSIDE.exec(text.slice(1, end))?.[1]
  if (!list) return NONE
  // What follows tells a marker from a link and from where one leads.
  if (end + 1 === text.length && !isEnd) return PARTIAL
  if (/^[(:]/.test(text.slice(end + 1))) return NONE
  return { kind: 'marker', length: end + 1, numbers: expand(list), ids: [] }
}

/** `1, 3-5` as 1, 3, 4, 5. */
function expand(list: string): number[] {
  return list.split(/[,;]/).flatMap((part) => {
    const [from = 0, to = from] = part.split(/[–-]/).map(Number)
    return Array.from({ length: Math.min(20, Math.max(1, to - from + 1)) }, (_, at) => from + at)
  })
}

/** Of a passage, by the id of its chunk, and of a page of the web, by its address. */
const TAGS = [
  { opening: '<citation', closing: '</citation>', begun: /^<citation[\s>]/i },
  { opening: '<websource', closing: '</websource>', begun: /^<websource[\s>]/i },
]
const ADDRESS = /\burl\s?=\s?["']?(https?:\/\/[^"'<>\s]{1,2000})/i

function readTag(text: string, isEnd: boolean): Marker {
  for (const tag of TAGS) {
    const found = readOneTag(tag, text, isEnd)
    if (found !== NONE) return found
  }
  return NONE
}

function readOneTag(
  { opening, closing, begun }: (typeof TAGS)[number],
  text: string,
  isEnd: boolean,
): Marker {
  const lower = text.toLowerCase()
  if (lower.startsWith(closing)) return { kind: 'marker', length: closing.length, numbers: [], ids: [] }
  if (closing.startsWith(lower) || opening.startsWith(lower)) return PARTIAL
  if (!begun.test(text)) return NONE
  const head = text.indexOf('>')
  if (head === -1) return PARTIAL
  const ids = idsOf(text.slice(0, head))
  // Its number, and its end, when they are there.
  const tail = /^\s?\[?[\d\s,]{0,12}\]?\s?/.exec(text.slice(head + 1))?.[0] ?? ''
  const rest = lower.slice(head + 1 + tail.length)
  if (rest.startsWith(closing))
    return { kind: 'marker', length: head + 1 + tail.length + closing.length, numbers: [], ids }
  if (closing.startsWith(rest) && !isEnd) return PARTIAL
  // It is never closed: what stands after it is text.
  return { kind: 'marker', length: head + 1, numbers: [], ids }
}

function idsOf(head: string): string[] {
  const address = ADDRESS.exec(head)?.[1]
  return address === undefined ? (head.match(UUID) ?? []).map((id) => id.toLowerCase()) : [address]
}
