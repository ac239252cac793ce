import { parseJson } from '../../../platform/outbound/foreign/foreign.ts'

/** What a plan or a memory may be; in more than that nothing is looked for. */
const MAX_JSON = 200_000
/** Places where it may begin; models put prose and code fences around it. */
const MAX_STARTS = 20

/** The JSON in a text, in time that grows with it. Undefined when there is none. */
export function findJson(text: string): unknown {
  if (text.length > MAX_JSON) return undefined
  for (const { index } of [...text.matchAll(/[{[]/g)].slice(0, MAX_STARTS)) {
    const end = findEnd(text, index)
    try {
      if (end !== null) return parseJson(text.slice(index, end))
    } catch {
      // Brackets in prose; a later one may begin it.
    }
  }
  return undefined
}

/** Behind the bracket that closes the one at `start`, those in strings apart; null when none does. */
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
