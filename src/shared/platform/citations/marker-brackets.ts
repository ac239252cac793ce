import { type Marker, NONE, PARTIAL, UUID } from './marker-result.ts'

const OPEN = /^(?:\[\[?|［|【|〔|⟦|\\\[|&#0*91;|&#x0*5b;|&lsqb;|&lbrack;)/i
const CLOSE = /\]\]?|］|】|〕|⟧|\\\]|&#0*93;|&#x0*5d;|&rsqb;|&rbrack;/i
/** Escaped brackets that may be incomplete. */
const ESCAPES = ['\\[', '&#91;', '&#091;', '&#x5b;', '&lsqb;', '&lbrack;']

/** `1`, `1, 3`, `2-4`, `^1`, `Source 17, page 3`, `doc-9`, `1†page 2`. */
const INSIDE =
  /^[\^†‡*#\s]{0,3}(?:(?:sources?|src|passages?|documents?|docs?|ref(?:erence)?s?|références?|réf|quellen?|fuentes?|cit(?:e|ation)s?|chunks?|extraits?|excerpts?|evidence|footnotes?|notes?|results?|items?|[sd]|id|no|nr|n[°º])[\s.:_#°-]{0,3})?(\d{1,3}(?:\s?(?:[,;–-]|and|et|und|y|&)\s?(?:(?:sources?|src|passages?|documents?|docs?|ref(?:erence)?s?|références?|réf|quellen?|fuentes?|cit(?:e|ation)s?|chunks?|extraits?|excerpts?|evidence|footnotes?|notes?|results?|items?|[sd]|id|no|nr|n[°º])[\s.:_#°-]{0,3})?\d{1,3}){0,20})(?:(?::\d{1,3})?†.{0,60}|[\s,;:]{1,3}(?:pages?|pp?|seiten?|páginas?|sections?|sheets?|lines?|§)\.?\s?[\p{L}\d–., -]{1,30})?\s?$/iu
/** A number after a word for a source, in round brackets. */
const IN_ROUND =
  /^\((?:sources?|passages?|refs?|quellen?|fuentes?|extraits?|excerpts?)[\s.:#]{0,3}(\d{1,3})((?:[,;]\s?|\s)[^()\n]{0,40})?\)/i
const ROUND_BEGUN = /^\([a-z]{0,9}(?:[\s.:#]{0,3}\d{0,3}(?:[,;\s][^()\n]{0,40})?)?$/i
/** Places and files that do not name a passage. */
const NAMELESS = [
  /^(?:pages?|pp?|seiten?|páginas?|sections?|sheets?|lines?|§)\.?\s?\d{1,4}(?:\s?[–-]\s?\d{1,4})?$/iu,
  /^[^[\]]{1,80}\.(?:pdf|docx?|xlsx?|pptx?|odt|txt|md|csv|html?|eml)(?:[\s,;:]+[^[\]]{0,30})?$/i,
  /^(?:cite|citation)(?:[_ :-](?:start|end|needed))?$/i,
]
const IDS =
  /^(?:(?:sources?|src|passages?|documents?|docs?|ref(?:erence)?s?|références?|réf|quellen?|fuentes?|cit(?:e|ation)s?|chunks?|extraits?|excerpts?|evidence|footnotes?|notes?|results?|items?|[sd]|id|no|nr|n[°º])[\s.:_#-]{0,3})?(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:[,;\s]+[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}){0,20}$/i
const BEGUN = /^[^[\]\n]{0,160}$/

/** Parses a marker in brackets of any kind, including escaped ones, with the link after it. */
export function readBrackets(text: string, isEnd: boolean): Marker {
  if (text[0] === '(') return readRound(text)
  const open = OPEN.exec(text)?.[0]
  if (open === undefined) return ESCAPES.some((one) => one.startsWith(text.toLowerCase())) ? PARTIAL : NONE
  const rest = text.slice(open.length)
  const close = CLOSE.exec(rest)
  if (!close) return BEGUN.test(rest) ? PARTIAL : NONE
  const inside = rest.slice(0, close.index).trim()
  const named = readInside(inside)
  if (!named) return NONE
  const length = open.length + close.index + close[0].length
  // Escaped brackets may be split before their last character.
  if (length === text.length && !isEnd) return PARTIAL
  const link = readLink(text.slice(length), isEnd)
  if (link === null) return PARTIAL
  if (link.length > 0 && named.isFile) return NONE
  return {
    kind: 'marker',
    length: length + link.length,
    numbers: named.numbers,
    ids: [...named.ids, ...link.ids],
  }
}

function readRound(text: string): Marker {
  const found = IN_ROUND.exec(text)
  if (found) return { kind: 'marker', length: found[0].length, numbers: [Number(found[1])], ids: [] }
  return ROUND_BEGUN.test(text) && isWordBegun(text.slice(1)) ? PARTIAL : NONE
}

const ROUND_WORDS = ['sources', 'passages', 'refs', 'quellen', 'fuentes', 'extraits', 'excerpts']
function isWordBegun(text: string): boolean {
  const word = /^[a-z]*/i.exec(text)?.[0].toLowerCase() ?? ''
  return ROUND_WORDS.some((one) => one.startsWith(word))
}

type Named = { numbers: number[]; ids: string[]; isFile: boolean }

function readInside(inside: string): Named | null {
  const list = INSIDE.exec(inside)?.[1]
  if (list !== undefined) return { numbers: expandList(list), ids: [], isFile: false }
  if (IDS.test(inside))
    return { numbers: [], ids: (inside.match(UUID) ?? []).map((id) => id.toLowerCase()), isFile: false }
  return NAMELESS.some((one) => one.test(inside)) ? { numbers: [], ids: [], isFile: true } : null
}

const ADDRESS_STARTS = [': http://', ': https://', ':http://', ':https://']

/** Parses the link after a number: `(url)` or `: url`. Returns null if more text is needed. */
function readLink(rest: string, isEnd: boolean): { length: number; ids: string[] } | null {
  const none = { length: 0, ids: [] }
  if (!isEnd && ADDRESS_STARTS.some((one) => one.startsWith(rest.toLowerCase()) && rest !== '')) return null
  if (
    !isEnd &&
    /^(?:: ?https?:\/\/\S*|\((?:[^\s()]|\([^\s()]*\)){0,400}(?:\([^\s()]*)?(?: "[^"\n)]*"?)?)$/i.test(rest)
  )
    return null
  const found = /^\(([^\s()]*(?:\([^\s()]*\)[^\s()]*)*)(?: "[^"\n]*")?\)|^: ?(https?:\/\/\S+)/i.exec(rest)
  if (!found) return none
  const [whole, target = '', defined = target] = found
  return { length: whole.length, ids: /^https?:/i.test(defined) ? [defined] : [] }
}

/** Expands `1, 3-5` to 1, 3, 4, 5. */
export function expandList(list: string): number[] {
  return list.split(/[,;&]|\b(?:and|et|und|y)\b/i).flatMap((part) => {
    const [from = 0, to = from] = (part.match(/\d+/g) ?? []).map(Number)
    return Array.from({ length: Math.min(20, Math.max(1, to - from + 1)) }, (_, at) => from + at)
  })
}
