import { readBrackets } from './marker-brackets.ts'
import { type Marker, NONE, PARTIAL, UUID } from './marker-result.ts'
import { readSign } from './marker-signs.ts'

/** Longer than any marker without an address. */
export const MARKER_MAX = 200
/** Longer than any marker with an address. */
const ADDRESS_MARKER_MAX = 2_600

/** Reads a marker from the beginning of a text. `isEnd` says that nothing follows the text; `before` is the text ahead of it. */
export function readMarker(text: string, isEnd: boolean, before = ''): Marker {
  const found = readAny(text, isEnd, before)
  const max = /^<websource |\]\(|\]:/.test(text) ? ADDRESS_MARKER_MAX : MARKER_MAX
  return found === PARTIAL && (isEnd || text.length > max) ? NONE : found
}

function readAny(text: string, isEnd: boolean, before: string): Marker {
  const sign = readSign(text, isEnd, before)
  if (sign !== NONE) return sign
  return text[0] === '<' ? readTag(text, isEnd) : readBrackets(text, isEnd)
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
