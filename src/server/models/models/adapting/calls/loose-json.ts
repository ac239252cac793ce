import { jsonrepair } from 'jsonrepair'
import { tryJson } from '../../../../platform/outbound/foreign/foreign.ts'

/** Longer texts are not repaired, because a repair reads them several times. */
export const MAX_REPAIRED = 200_000

/** Parses an object or a list with wrong commas, quotes or constants. Returns undefined for truncated ones and for other texts. */
export function repairJson(text: string): unknown {
  if (text.length > MAX_REPAIRED || !/^[{[]/.test(text) || splitJson(text)[0] !== text) return undefined
  try {
    const value: unknown = tryJson(jsonrepair(text))
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

/** Returns the top-level objects and lists of a text; none when its brackets or quotes are unbalanced. */
export function splitJson(text: string): string[] {
  const found: string[] = []
  let depth = 0
  let from = 0
  let quote = ''
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] ?? ''
    if (quote) {
      if (sign === '\\') at += 1
      else if (sign === quote) quote = ''
    } else if (sign === '"') quote = sign
    else if (sign === '{' || sign === '[') {
      if (depth === 0) from = at
      depth += 1
    } else if (sign === '}' || sign === ']') {
      depth -= 1
      if (depth < 0) return []
      if (depth === 0) found.push(text.slice(from, at + 1))
    }
  }
  return depth === 0 && quote === '' ? found : []
}
