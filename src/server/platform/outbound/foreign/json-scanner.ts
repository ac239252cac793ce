import { AppError } from '#shared/platform/errors.ts'

/** Limits of untrusted JSON: number of values, including object members, and nesting depth. */
export type JsonBounds = { values: number; depth: number }

/** Default limits for answers of services. Parsing and validating them takes less than 20 ms. */
export const ORDINARY: JsonBounds = { values: 20_000, depth: 100 }

export type JsonScanner = {
  /** Counts the next bytes. @throws AppError `too_large` at the first value or level beyond the limit */
  scan: (bytes: Uint8Array) => void
  /** Returns the number of values so far. */
  values: () => number
  /** Starts a new text with the next bytes. */
  restart: () => void
}

/**
 * Counts the values and depth of JSON as its bytes arrive, before parsing. It scans for ASCII only, which never occurs inside
 * another UTF-8 character. Invalid JSON may pass; the parser rejects it.
 */
export function createJsonScanner(bounds: JsonBounds = ORDINARY): JsonScanner {
  let values = 0
  let depth = 0
  let isText = false
  let isEscaped = false
  const open = () => {
    values += 1
    depth += 1
    if (depth > bounds.depth) throw tooDeep()
  }
  return {
    scan: (bytes) => {
      for (let at = 0; at < bytes.length; at += 1) {
        const code = bytes[at]
        if (isEscaped) isEscaped = false
        else if (code === QUOTE) isText = !isText
        else if (isText) isEscaped = code === BACKSLASH
        else if (code === COMMA) values += 1
        else if (code === OPEN_LIST || code === OPEN_OBJECT) open()
        else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth -= 1
        if (values > bounds.values) throw tooMany()
      }
    },
    values: () => values,
    restart: () => {
      values = 0
      depth = 0
      isText = false
      isEscaped = false
    },
  }
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

export const tooLarge = () => new AppError('too_large', 'The answer is too large.')
export const tooDeep = () => new AppError('too_large', 'The answer is too deeply nested.')
const tooMany = () => new AppError('too_large', 'The answer has too many values.')
