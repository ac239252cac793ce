/** Begins the id of a key that is stored in its encoded form. */
const ENCODED = 'url:'

/** Returns the id of a key. A database stores no NUL, with which the key must be read. */
export const idOfKey = (key: string): string =>
  key.includes('\0') || key.startsWith(ENCODED) ? ENCODED + encodeURIComponent(key) : key

/** Returns the id of a key that is no UTF-8, from its percent-encoded form. */
export const idOfUnreadable = (encoded: string): string => ENCODED + encoded

/** Returns null for a key that is no UTF-8. */
export function keyOfId(id: string): string | null {
  if (!id.startsWith(ENCODED)) return id
  try {
    return decodeURIComponent(id.slice(ENCODED.length))
  } catch {
    return null
  }
}
