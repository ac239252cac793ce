/** A range of a Markdown document that is parsed and rendered separately. Offsets are UTF-16 units of the whole. */
export type Piece = {
  start: number
  text: string
  /** Parsed before it: the header of a table that began earlier. */
  prefix: string
}
/** A heading: the index of its piece, and the number of headings before it there. */
export type Heading = { level: number; text: string; piece: number; nth: number }

export type Pieces = {
  pieces: Piece[]
  headings: Heading[]
  /** Definitions of links and footnotes, which every piece may reference. */
  definitions: string
}

/** Size in characters at which a piece ends at the next suitable place, and at any line. */
const FULL = 6_000
const MAX_CHARACTERS = 60_000
/** Rows of a table per piece: as many as are shown at first. */
const ROWS = 100

/** Splits a document between its blocks, and long lists and tables between their items and rows, in one pass over its lines. */
export function splitPieces(source: string): Pieces {
  const scan = startScan(source)
  let at = 0
  while (at < source.length) {
    const end = source.indexOf('\n', at)
    const next = end < 0 ? source.length : end + 1
    readLine(scan, source.slice(at, end < 0 ? source.length : end).replace(/\r$/, ''), at)
    at = next
  }
  cut(scan, source.length)
  return { pieces: scan.pieces, headings: scan.headings, definitions: scan.definitions.join('\n') }
}

type Scan = Pick<Pieces, 'pieces' | 'headings'> & {
  source: string
  definitions: string[]
  start: number
  nth: number
  /** The character and length of an open fence. */
  fence: string | null
  before: string
  table: { head: string; rows: number } | null
  prefix: string
}

function startScan(source: string): Scan {
  return {
    ...{ source, pieces: [], headings: [], definitions: [], start: 0, nth: 0 },
    ...{ fence: null, before: '', table: null, prefix: '' },
  }
}

function readLine(scan: Scan, line: string, at: number): void {
  const wasFenced = scan.fence !== null
  readFence(scan, line)
  if (!wasFenced) {
    readTable(scan, line)
    if (mayCut(scan, line, at - scan.start)) cut(scan, at)
    readHeading(scan, line)
    if (/^ {0,3}\[[^\]\n]+\]:/.test(line)) scan.definitions.push(line)
  }
  scan.before = line
}

function readFence(scan: Scan, line: string): void {
  const marks = /^\s*(`{3,}|~{3,}|\$\$(?!.*\$\$))/.exec(line)?.[1]
  if (!marks) return
  if (scan.fence === null) scan.fence = marks
  else if (marks.startsWith(scan.fence)) scan.fence = null
}

function readTable(scan: Scan, line: string): void {
  if (!line.startsWith('|')) scan.table = null
  else if (scan.table) scan.table.rows += 1
  else if (/^\|[\s:|-]+$/.test(line) && scan.before.startsWith('|'))
    scan.table = { head: `${scan.before}\n${line}\n`, rows: 0 }
}

const isItem = (line: string) => /^([-+*]|\d+[.)])\s/.test(line)

function mayCut(scan: Scan, line: string, size: number): boolean {
  if (scan.fence !== null && scan.before.trim() !== '') return false
  if (scan.table) return scan.table.rows > ROWS
  if (size > MAX_CHARACTERS) return true
  if (size < FULL || /^\s|^$/.test(line)) return false
  return scan.before.trim() === '' ? !/^>/.test(line) : isItem(line) && !/^>/.test(scan.before)
}

function cut(scan: Scan, at: number): void {
  if (at === scan.start) return
  scan.pieces.push({ start: scan.start, text: scan.source.slice(scan.start, at), prefix: scan.prefix })
  scan.prefix = scan.table?.head ?? ''
  if (scan.table) scan.table.rows = 1
  Object.assign(scan, { start: at, nth: 0 })
}

function readHeading(scan: Scan, line: string): void {
  const [, marks = '', written = ''] = /^ {0,3}(#{1,6})(?:[ \t]+(\S.*)?)?$/.exec(line) ?? []
  const underline = /^ {0,3}(=+|-{2,})[ \t]*$/.exec(line)?.[1]
  const isUnderlined =
    underline !== undefined && /^ {0,3}[^\s#>|+*=-]/.test(scan.before) && !isItem(scan.before)
  if (marks === '' && !isUnderlined) return
  const text = plain(marks === '' ? scan.before : written.trimEnd().replace(/(?:^|[ \t])#+$/, ''))
  const level = marks === '' ? (underline?.startsWith('=') ? 1 : 2) : marks.length
  scan.headings.push({ level, text, piece: scan.pieces.length, nth: scan.nth++ })
}

/** Returns a line without Markdown syntax. */
function plain(line: string): string {
  return line
    .replace(/!?\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replace(/\\([^\w\s])|[*`~]+|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu, '$1')
    .trim()
}
