/** Begins the id of a key that is stored in its encoded form. */
const ENCODED = 'url:'

/** Returns the id of a key. A database stores no NUL, with which the key must be read. */
export const idOfKey = (key: string): string =>
  key.includes('\0') || key.startsWith(ENCODED) ? ENCODED + encodeURIComponent(key) : key

export const keyOfId = (id: string): string =>
  id.startsWith(ENCODED) ? decodeURIComponent(id.slice(ENCODED.length)) : id
