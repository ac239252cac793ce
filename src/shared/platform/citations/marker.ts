/** Result of reading the start of a text: a marker with numbers or ids, a possible start of one, or neither. */
export type Marker =
  | { kind: 'marker'; length: number; numbers: number[]; ids: string[] }
  | { kind: 'partial' }
  | { kind: 'none' }

/** Maximum length of a marker, in characters, including the address of a page. */
export const MARKER_MAX = 200
const WEBSOURCE_MAX = 2_600

const NONE: Marker = { kind: 'none' }
const PARTIAL: Marker = { kind: 'partial' }
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi

/** Reads a marker at the start of a text; `isEnd` means that no text follows. */
export function readMarker(text: string, isEnd: boolean): Marker {
  const found = text[0] === '<' ? readTag(text, isEnd) : readBrackets(text, isEnd)
  const most = text.startsWith('<websource ') ? WEBSOURCE_MAX : MARKER_MAX
  return found === PARTIAL && (isEnd || text.length > most) ? NONE : found
}

/** `[1]`, `[1, 3]`, `[2-4]`, `[^1]`, `[Source 1]`, `【1†page 2】`. */
const INSIDE =
  /^\^?(?:(?:source|passage|document|doc|ref)s?\s?)?(\d{1,3}(?:\s?[,;–-]\s?\d{1,3}){0,20})(?:†.{0,60})?$/i
/** Possible beginning of the inside of a marker. */
const BEGUN = /^\^?(?:[a-z]{0,9}\s?)?(?:\d[\d\s,;–-]{0,90}(?:†.{0,60})?)?$/i

function readBrackets(text: string, isEnd: boolean): Marker {
  const close = text[0] === '【' ? '】' : ']'
  const end = text.indexOf(close)
  if (end === -1) return BEGUN.test(text.slice(1)) ? PARTIAL : NONE
  const list = INSIDE.exec(text.slice(1, end))?.[1]
  if (!list) return NONE
  // The next character distinguishes a marker from a link or a link target.
  if (end + 1 === text.length && !isEnd) return PARTIAL
  if (/^[(:]/.test(text.slice(end + 1))) return NONE
  return { kind: 'marker', length: end + 1, numbers: expand(list), ids: [] }
}

/** Expands `1, 3-5` to 1, 3, 4, 5. */
function expand(list: string): number[] {
  return list.split(/[,;]/).flatMap((part) => {
    const [from = 0, to = from] = part.split(/[–-]/).map(Number)
    return Array.from({ length: Math.min(20, Math.max(1, to - from + 1)) }, (_, at) => from + at)
  })
}

/** Markers of passages by chunk id, and of web pages by address. */
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
  // The number and the closing part, when present.
  const tail = /^\s?\[?[\d\s,]{0,12}\]?\s?/.exec(text.slice(head + 1))?.[0] ?? ''
  const rest = lower.slice(head + 1 + tail.length)
  if (rest.startsWith(closing))
    return { kind: 'marker', length: head + 1 + tail.length + closing.length, numbers: [], ids }
  if (closing.startsWith(rest) && !isEnd) return PARTIAL
  // An unclosed marker: the text after it stays text.
  return { kind: 'marker', length: head + 1, numbers: [], ids }
}

function idsOf(head: string): string[] {
  const address = ADDRESS.exec(head)?.[1]
  return address === undefined ? (head.match(UUID) ?? []).map((id) => id.toLowerCase()) : [address]
}
