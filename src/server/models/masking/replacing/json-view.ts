/**
 * Returns a text of the same length in which escapes of JSON are the characters they mean, with a blank before each, so that a place in
 * it is the same place in the text.
 */
export const viewOf = (text: string): string =>
  text.includes('\\') ? text.replace(/\\([nrt"])/g, (_, one: string) => ` ${meant[one] ?? one}`) : text

const meant: Record<string, string> = { n: '\n', r: '\r', t: '\t' }

/** Returns whether a text is JSON as far as its ends show. */
export const looksLikeJson = (text: string): boolean =>
  /^\s*[[{]/.test(text) && /[\]}]\s*$/.test(text.slice(-20))

/** Writes a value inside a string of JSON. */
export const escapeJson = (value: string): string => JSON.stringify(value).slice(1, -1)

/** Reads a piece of a string of JSON. */
export const unescapeJson = (piece: string): string =>
  piece.replace(/\\(?:u([\da-fA-F]{4})|(.))/g, (_, code: string | undefined, one: string) =>
    code ? String.fromCharCode(Number.parseInt(code, 16)) : (single[one] ?? one),
  )

const single: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }
