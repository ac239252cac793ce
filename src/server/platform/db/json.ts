const untakeable = /\\u(?:0000|d[89a-f][0-9a-f]{2})/i

/**
 * JSON text that PostgreSQL takes as `json`, `jsonb` and inside `text`: NUL characters are dropped and half
 * surrogate pairs become U+FFFD, in names as in values. `undefined` becomes `null`.
 */
export function toJson(value: unknown): string {
  const text = JSON.stringify(value) ?? 'null'
  return untakeable.test(text) ? JSON.stringify(value, cleanText) : text
}

function cleanText(_key: string, value: unknown): unknown {
  if (typeof value === 'string') return cleanCharacters(value)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [cleanCharacters(name), one]))
}

/** Text without the characters PostgreSQL refuses. */
export function cleanCharacters(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}
