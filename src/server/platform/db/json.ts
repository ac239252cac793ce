const untakeable = /\\u(?:0000|d[89a-f][0-9a-f]{2})/i

/**
 * Returns JSON text that PostgreSQL accepts as `json`, `jsonb` and inside `text`. Drops NUL characters and replaces lone
 * surrogates with U+FFFD, in names and values. `undefined` becomes `null`.
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

/** Removes the characters PostgreSQL refuses. */
export function cleanCharacters(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}
