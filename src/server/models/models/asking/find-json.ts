import { parseJson } from '../../../platform/outbound/foreign/foreign.ts'

/** Longer texts are not searched. Plans and memories are shorter. */
const MAX_JSON = 200_000
/** Positions tried as the start. Models surround JSON with prose and code fences. */
const MAX_STARTS = 20

/** Returns the first JSON in a text, in linear time, or undefined when it holds none. */
export function findJson(text: string): unknown {
  if (text.length > MAX_JSON) return undefined
  for (const { index } of [...text.matchAll(/[{[]/g)].slice(0, MAX_STARTS)) {
    const end = findEnd(text, index)
    try {
      if (end !== null) return parseJson(text.slice(index, end))
    } catch {
      // A bracket in prose; the JSON may start at a later one.
    }
  }
  return undefined
}

/** Returns the index after the bracket that closes the one at `start`, or null when none does. Brackets in strings do not count. */
function findEnd(text: string, start: number): number | null {
  let depth = 0
  let isString = false
  for (let at = start; at < text.length; at += 1) {
    const sign = text[at]
    if (isString) {
      if (sign === '\\') at += 1
      else if (sign === '"') isString = false
    } else if (sign === '"') isString = true
    else if (sign === '{' || sign === '[') depth += 1
    else if (sign === '}' || sign === ']') {
      depth -= 1
      if (depth === 0) return at + 1
    }
  }
  return null
}
