import { type Marker, NONE, PARTIAL, UUID } from './marker-result.ts'
import { isSourceWord, SOURCE_WORDS } from './source-words.ts'

const OPEN = /^(?:\[\[?|\\cite[a-z]?\{|「(?=[\d０-９])|［|【|〔|⟦|\\\[|&#0*91;|&#x0*5b;|&lsqb;|&lbrack;)/i
const CLOSE = /\]\]?|\}|」|］|】|〕|⟧|\\\]|&#0*93;|&#x0*5d;|&rsqb;|&rbrack;/i
/** Escaped brackets while they are still arriving. */
const ESCAPES = [
  '\\[',
  '\\cite{',
  '\\citep{',
  '\\citet{',
  '「',
  '&#91;',
  '&#091;',
  '&#x5b;',
  '&lsqb;',
  '&lbrack;',
]

/** `1`, `1, 3`, `2-4`, `^1`, `Source 17, page 3`, `doc-9`, `1†page 2`. */
const INSIDE =
  /^[\^†‡*#\s]{0,3}(?:(?:sources?|src|passages?|documents?|docs?|ref(?:erence)?s?|références?|réf|quellen?|fuentes?|cit(?:e|ation)s?|chunks?|extraits?|excerpts?|evidence|footnotes?|notes?|results?|items?|[sd]|id|no|nr|n[°º])[\s.:_#°-]{0,3})?(\d{1,3}(?:\s?(?:[,;–-]|and|et|und|y|&)\s?(?:(?:sources?|src|passages?|documents?|docs?|ref(?:erence)?s?|références?|réf|quellen?|fuentes?|cit(?:e|ation)s?|chunks?|extraits?|excerpts?|evidence|footnotes?|notes?|results?|items?|[sd]|id|no|nr|n[°º])[\s.:_#°-]{0,3})?\d{1,3}){0,20})(?:(?::\d{1,3})?†.{0,60}|[\s,;:]{1,3}(?:pages?|pp?|seiten?|páginas?|sections?|sheets?|lines?|§)\.?\s?[\p{L}\d–., -]{1,30})?\s?$/iu
/** A number behind a word, in round brackets. */
const IN_ROUND =
  /^\((?:(?:see|cf|siehe|voir|vgl|véase)\.?\s)?([\p{L}\p{M}]{1,12})[\s.:#]{0,3}(\d{1,3})((?:[,;]\s?|\s)[^()\n]{0,40})?\)/iu
const ROUND_BEGUN =
  /^\((?:(?:see|cf|siehe|voir|vgl|véase)\.?\s?)?\p{L}{0,9}(?:[\s.:#]{0,3}\d{0,3}(?:[,;\s][^()\n]{0,40})?)?$/iu
/** Places and files that name no passage. */
const NAMELESS = [
  /^(?:pages?|pp?|seiten?|páginas?|sections?|sheets?|lines?|§)\.?\s?\d{1,4}(?:\s?[–-]\s?\d{1,4})?$/iu,
  /^[^[\]]{1,80}\.(?:pdf|docx?|xlsx?|pptx?|odt|txt|md|csv|html?|eml)(?:[\s,;:]+[^[\]]{0,30})?$/i,
  /^(?:turn\d{1,3}(?:search|file|view|news|image)\d{1,3}[,;\s]{0,3}){1,10}$/i,
  /^(?:cite|citation)(?:[_ :-](?:start|end|needed))?$/i,
]
const IDS =
  /^(?:(?:sources?|src|passages?|documents?|docs?|ref(?:erence)?s?|références?|réf|quellen?|fuentes?|cit(?:e|ation)s?|chunks?|extraits?|excerpts?|evidence|footnotes?|notes?|results?|items?|[sd]|id|no|nr|n[°º])[\s.:_#-]{0,3})?(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:[,;\s]+[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}){0,20}$/i
const BEGUN = /^[^[\]\n]{0,160}$/

/** Reads a marker in brackets of any kind, escaped ones included, with the link behind it. */
export function readBrackets(text: string, isEnd: boolean): Marker {
  if (text[0] === '(') return readRound(text)
  if (text[0] === '（') return readRound(plainRound(text.slice(0, ROUND_MAX)))
  const open = OPEN.exec(text)?.[0]
  if (open === undefined) return ESCAPES.some((one) => one.startsWith(text.toLowerCase())) ? PARTIAL : NONE
  const rest = text.slice(open.length)
  const close = CLOSE.exec(rest)
  if (!close) return BEGUN.test(rest) ? PARTIAL : NONE
  const inside = rest.slice(0, close.index).trim()
  const named = readInside(inside)
  if (!named) return NONE
  const length = open.length + close.index + close[0].length
  // Escaped brackets may be cut before their last sign.
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

/** Longer than any marker in round brackets. */
const ROUND_MAX = 250

/** Replaces the full-width signs of a marker, each by one ASCII sign. */
const plainRound = (text: string) => text.replace('（', '(').replace('）', ')').replace('：', ':')

function readRound(text: string): Marker {
  const [whole = '', word = '', number] = IN_ROUND.exec(text) ?? []
  if (isSourceWord(word)) return { kind: 'marker', length: whole.length, numbers: [Number(number)], ids: [] }
  return ROUND_BEGUN.test(text) && isWordBegun(text.slice(1)) ? PARTIAL : NONE
}

const ROUND_WORDS = ['see', 'cf', 'siehe', 'voir', 'vgl', 'véase', ...SOURCE_WORDS]
function isWordBegun(text: string): boolean {
  const rest = text.replace(/^(?:see|cf|siehe|voir|vgl|véase)(?:\.?\s|\.$)/i, '')
  const word = /^[\p{L}\p{M}]*/u.exec(rest)?.[0].toLowerCase() ?? ''
  return ROUND_WORDS.some((one) => one.startsWith(word))
}

type Named = { numbers: number[]; ids: string[]; isFile: boolean }

/** Words ahead of a number that say no more than "source". */
const LEADING =
  /^(?:see|siehe|voir|vgl|cf|via|from|véase|ver|web|file|n|nota|beleg|zitat|cita|snippet|context|contexte|kontext|contexto|anlage|abschnitt|chunk[_ ]?id)\b[\s.:_#-]{0,3}/iu

const LEADING_WORD = /^([\p{L}\p{M}]{1,12})[\s.:_#-]{0,3}(?=\d)/u
const AND_ELSEWHERE =
  /(?<=\d)(?: (?:e|i|a|en|ve|och|og|ja|és|și|и|і|та|και|और) | ?(?:와|과|と|和|与|與|及|و|ו-?) ?)(?=\d)/giu
/** A page behind the numbers. */
const PAGE_ELSEWHERE =
  /(?<=\d),? ?(?:(?:стр?|с|str|sid|σελ|sayfa|oldal|sivu|pag|صفحة|페이지) ?\.? ?\d{1,4}|第 ?\d{1,4} ?[页頁]|\d{1,4} ?(?:ページ|页|頁|페이지|쪽))$/iu

/** Digits of other scripts as ASCII digits. Each script has its ten digits in a row. */
function plainDigits(text: string): string {
  return text.replace(/(?!\d)\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0
    let zero = code
    while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--
    return String(code - zero)
  })
}

/** The inside of brackets in plain signs: digits of any script, circled digits, emphasis, other separators. */
function plainInside(inside: string): string {
  return plainDigits(inside.normalize('NFKC'))
    .replace(/[\u2010-\u2015\u2212~〜∼]/g, '-')
    .replace(/[،؛]/g, ',')
    .replace(/[*`]/g, '')
    .replace(/[()]/g, ' ')
    .replace(/[、|/]|\s-\s/g, ', ')
    .replace(/\s+/g, ' ')
    .replace(/ ,/g, ',')
    .trim()
    .replace(/[.,;^]$/, '')
    .replace(LEADING, '')
    .replace(LEADING_WORD, (whole, word: string) => (isSourceWord(word) ? '' : whole))
    .replace(PAGE_ELSEWHERE, '')
    .replace(AND_ELSEWHERE, ', ')
    .replace(/^fuente n[º°o]\.? /i, '')
}

function readInside(written: string): Named | null {
  return readPlain(written) ?? readPlain(plainInside(written))
}

function readPlain(inside: string): Named | null {
  const list = INSIDE.exec(inside)?.[1]
  if (list !== undefined) return { numbers: expandList(list), ids: [], isFile: false }
  if (IDS.test(inside))
    return { numbers: [], ids: (inside.match(UUID) ?? []).map((id) => id.toLowerCase()), isFile: false }
  return NAMELESS.some((one) => one.test(inside)) ? { numbers: [], ids: [], isFile: true } : null
}

const ADDRESS_STARTS = [': http://', ': https://', ':http://', ':https://']

/** The link behind a number: `(url)` or `: url`. Null when more must be known. */
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

/** `1, 3-5` as 1, 3, 4, 5. */
export function expandList(list: string): number[] {
  return list.split(/[,;&]|\b(?:and|et|und|y)\b/i).flatMap((part) => {
    const [from = 0, to = from] = (part.match(/\d+/g) ?? []).map(Number)
    return Array.from({ length: Math.min(20, Math.max(1, to - from + 1)) }, (_, at) => from + at)
  })
}
