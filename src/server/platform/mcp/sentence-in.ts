import { tryJson } from '../outbound/foreign/foreign.ts'

const KEYS = ['message', 'error_description', 'detail', 'error', 'title'] as const
const MAX_DEPTH = 4

/** Returns the sentence in an HTTP error body; null for an HTML page or without a sentence. */
export function sentenceIn(body: string): string | null {
  const text = body.trim()
  if (text === '' || text.startsWith('<')) return null
  const value = tryJson(text)
  return value === undefined ? text : sentenceOf(value, 0)
}

function sentenceOf(value: unknown, depth: number): string | null {
  if (typeof value === 'string') return value.trim() || null
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return null
  const fields = value as Record<string, unknown>
  // JSON-RPC nests its message one level deeper than other services.
  const nested = typeof fields.error === 'object' ? sentenceOf(fields.error, depth + 1) : null
  if (nested !== null) return nested
  for (const key of KEYS) {
    const found = sentenceOf(fields[key], depth + 1)
    if (found !== null) return found
  }
  return null
}
