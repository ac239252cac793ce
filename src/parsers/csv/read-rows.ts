/** The character that separates cells, and the one that quotes cells that contain it. */
export type Signs = { delimiter: string; quote: string }

/** A cell longer than this was never closed. */
const MAX_CELL_LENGTH = 1_000_000

/**
 * Reads the rows of a table in text (RFC 4180) as its chunks arrive. A quoted cell may contain delimiters, line ends and
 * doubled quotes. A quote anywhere else, or one that is never closed, is an ordinary character.
 */
export async function* readRows(
  texts: AsyncIterable<string> | Iterable<string>,
  { delimiter, quote }: Signs,
): AsyncGenerator<string[]> {
  let rest = ''
  for await (const text of texts) {
    const { rows, used } = splitRows(rest + text, { delimiter, quote }, false)
    yield* rows
    rest = (rest + text).slice(used)
  }
  yield* splitRows(rest, { delimiter, quote }, true).rows
}

/** The complete rows of a text, and where the first incomplete row begins; at the end of a file there is none. */
export function splitRows(text: string, signs: Signs, isEnd: boolean): { rows: string[][]; used: number } {
  const rows: string[][] = []
  let row: string[] = []
  let used = 0
  let at = 0
  const looked: Looked = { until: 0 }
  while (at < text.length) {
    const cell = cellAt(text, at, { ...signs, looked }, isEnd)
    if (!cell) break
    row.push(cell.value)
    const sign = text[cell.end]
    // Only the next chunk shows whether a line end has a second character.
    if (!isEnd && (sign === undefined || (sign === '\r' && cell.end + 1 >= text.length))) break
    at = cell.end + (sign === '\r' && text[cell.end + 1] === '\n' ? 2 : 1)
    if (sign === signs.delimiter) {
      if (at >= text.length && isEnd) row.push('')
      continue
    }
    rows.push(row)
    row = []
    used = at
  }
  if (isEnd && row.length > 0) rows.push(row)
  return { rows, used }
}

function cellAt(
  text: string,
  start: number,
  signs: Signs & { looked: Looked },
  isEnd: boolean,
): { value: string; end: number } | null {
  if (text[start] === signs.quote) {
    const quoted = quotedAt(text, start, signs)
    if (quoted) return quoted
    if (!isEnd && text.length - start < MAX_CELL_LENGTH) return null
  }
  let end = start
  while (end < text.length) {
    const sign = text[end]
    if (sign === signs.delimiter || sign === '\n' || sign === '\r') break
    end += 1
  }
  return { value: text.slice(start, end), end }
}

/** The position up to which unclosed quotes were already scanned, so that further quoted cells do not scan it again. */
type Looked = { until: number }

/** Null when its end is not in the text. */
function quotedAt(
  text: string,
  start: number,
  { delimiter, quote: mark, looked }: Signs & { looked: Looked },
): { value: string; end: number } | null {
  let at = Math.max(start + 1, looked.until)
  for (;;) {
    const quote = text.indexOf(mark, at)
    if (quote < 0 || quote - start > MAX_CELL_LENGTH) {
      looked.until = quote < 0 ? text.length : quote
      return null
    }
    const next = text[quote + 1]
    if (next === mark) {
      at = quote + 2
    } else if (next === undefined || next === delimiter || next === '\n' || next === '\r') {
      return { value: text.slice(start + 1, quote).replaceAll(mark + mark, mark), end: quote + 1 }
    } else {
      at = quote + 1
    }
  }
}
