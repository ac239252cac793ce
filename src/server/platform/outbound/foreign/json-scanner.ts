import { AppError } from '#shared/platform/errors.ts'

/** What a JSON text of a stranger may come to: values, object members included, and levels of nesting. */
export type JsonBounds = { values: number; depth: number }

/** What a service answers that nothing else is said of: parsing it, and checking what it holds, takes less than 20 ms. */
export const ORDINARY: JsonBounds = { values: 20_000, depth: 100 }

export type JsonScanner = {
  /** Counts the next bytes. @throws AppError `too_large` at the first value or level that is too many */
  scan: (bytes: Uint8Array) => void
  /** How many values came so far. */
  values: () => number
  /** The next bytes begin another text. */
  restart: () => void
}

/**
 * Counts the values and the depth of a JSON text as its bytes arrive, before anything parses it. It looks for ASCII only, which
 * is no part of another character in UTF-8. A text that is no JSON may pass: parsing refuses it.
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
