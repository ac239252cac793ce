import { createJsonScanner, type JsonBounds } from './json-scanner.ts'

export type EventScanner = {
  /**
   * Counts the data of events. Calls `onEnd` with the position after each event that ends in these bytes.
   * @throws AppError `too_large` at the first value or level beyond the limit
   */
  scan: (bytes: Uint8Array, onEnd: (end: number) => void) => void
}

/** Counts the JSON in the data of arriving events. Other fields and comments are ignored. */
export function createEventScanner(bounds: JsonBounds): EventScanner {
  const scanner = createJsonScanner(bounds)
  /** Start of the line, as far as needed to recognize data. */
  let name = ''
  let isFirstLine = true
  let isAfterReturn = false
  return {
    scan: (bytes, onEnd) => {
      const endOfLine = createLineFinder(bytes)
      for (let at = 0; at < bytes.length; ) {
        if (isAfterReturn && bytes[at] === NEWLINE) {
          isAfterReturn = false
          at += 1
          continue
        }
        const end = endOfLine(at)
        for (; name.length < DATA.length && at < end; at += 1) {
          name += String.fromCharCode(bytes[at] ?? 0)
          // Readers drop a byte order mark before the first line.
          if (isFirstLine && name === BYTE_ORDER_MARK) name = ''
        }
        if (name === DATA && at < end) scanner.scan(bytes.subarray(at, end))
        if (end === bytes.length) return
        isAfterReturn = bytes[end] === RETURN
        at = end + 1
        if (name === '') {
          scanner.restart()
          onEnd(at)
        }
        name = ''
        isFirstLine = false
      }
    },
  }
}

const DATA = 'data:'
const BYTE_ORDER_MARK = '\xef\xbb\xbf'
const [NEWLINE, RETURN] = [0x0a, 0x0d]

/** Finds line ends. It scans each byte once, however many lines there are. */
function createLineFinder(bytes: Uint8Array): (from: number) => number {
  const next = (sign: number, from: number) => {
    const place = bytes.indexOf(sign, from)
    return place < 0 ? bytes.length : place
  }
  let [line, back] = [-1, -1]
  return (from) => {
    if (line < from) line = next(NEWLINE, from)
    if (back < from) back = next(RETURN, from)
    return Math.min(line, back)
  }
}
