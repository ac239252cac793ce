/** A text as a reader of JSON sees it. `placeOf` returns the place in the text of a place in the view. */
type View = { text: string; placeOf: (at: number) => number }

/**
 * Returns a text with the characters that escapes of JSON mean. Short escapes have a blank before the character, so that words around
 * them stay apart.
 */
export function viewOf(text: string): View {
  if (!text.includes('\\')) return { text, placeOf: (at) => at }
  const shorter: { from: number; by: number }[] = []
  let by = 0
  const view = text.replace(
    /\\(?:u([\da-fA-F]{4})|(.))/g,
    (written: string, code: string | undefined, one: string, at: number) => {
      if (code === undefined) return one in meant ? ` ${meant[one]}` : written
      by += written.length - 1
      shorter.push({ from: at + written.length - by, by })
      return String.fromCharCode(Number.parseInt(code, 16))
    },
  )
  return { text: view, placeOf: (at) => at + (shorter[lastUpTo(shorter, at)]?.by ?? 0) }
}

/** Returns the index of the last entry that begins at or before a place; -1 when there is none. */
function lastUpTo(sorted: readonly { from: number }[], at: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle]?.from ?? 0) <= at) low = middle + 1
    else high = middle
  }
  return low - 1
}

const meant: Record<string, string> = { n: '\n', r: '\r', t: '\t', '"': '"' }

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
