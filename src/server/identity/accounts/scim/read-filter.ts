import { ScimError } from './scim-error.ts'

/** A comparison `attribute eq "value"`; all must match. Names are lower case. */
export type Wanted = { attribute: string; value: string }

const MOST = 500
const one =
  /^([\w:.$-]{1,120})(?:\[type eq "\w{1,20}"\](\.\w{1,20})?)? eq (?:("(?:[^"\\]|\\.){0,300}")|(true|false))$/i
const schema = /^urn:ietf:params:scim:schemas:(core|extension:enterprise):2\.0:\w{1,20}:/

/**
 * Parses the filters that directories send: `eq` comparisons joined by `and`.
 * @throws ScimError `invalidFilter`
 */
export function readFilter(filter: string | undefined, known: readonly string[]): Wanted[] {
  if (filter === undefined || filter.trim() === '') return []
  if (filter.length > MOST) throw refused('is too long')
  return splitAnd(filter.trim()).map((part) => {
    const [, name = '', tail = '', quoted, bare] = one.exec(part.trim()) ?? []
    const attribute = (name + tail).toLowerCase().replace(schema, '')
    if (!known.includes(attribute)) throw refused(`compares none of ${known.join(', ')} by eq`)
    return { attribute, value: (quoted ? unquote(quoted) : (bare ?? '')).toLowerCase() }
  })
}

/** Unquotes a JSON string. A lone backslash, as in `domain\name`, is taken literally. */
function unquote(quoted: string): string {
  try {
    return String(JSON.parse(quoted))
  } catch {
    return quoted.slice(1, -1)
  }
}

/** Splits at `and` outside of quotes. */
function splitAnd(filter: string): string[] {
  const parts: string[] = []
  for (const piece of filter.split(/ and /i)) {
    const open = parts.at(-1)
    const isInside = open !== undefined && (open.replace(/\\./g, '').match(/"/g)?.length ?? 0) % 2 === 1
    if (isInside) parts[parts.length - 1] = `${open} and ${piece}`
    else parts.push(piece)
  }
  return parts
}

const refused = (why: string) => new ScimError(400, `The filter ${why}.`, 'invalidFilter')
