import { tooDeep, tooLarge } from './json-scanner.ts'

/** Limits of untrusted XML: characters, tags, nesting depth, and attributes per tag. */
export type XmlBounds = { characters: number; tags: number; depth: number; attributes: number }

/**
 * Counts the tags of XML before parsing, since each level and attribute makes parsers slower. Malformed XML may pass; the
 * parser rejects it. @throws AppError `too_large`
 */
export function assertFewTags(xml: string, bounds: XmlBounds): void {
  if (xml.length > bounds.characters) throw tooLarge()
  let tags = 0
  let depth = 0
  for (let at = xml.indexOf('<'); at >= 0; at = xml.indexOf('<', at)) {
    const end = endOfTag(xml, at + 1, bounds.attributes)
    const [next, last] = [xml[at + 1], xml[end - 1]]
    tags += 1
    if (next === '/') depth -= 1
    else if (next !== '?' && next !== '!' && last !== '/') depth += 1
    if (tags > bounds.tags) throw tooLarge()
    if (depth > bounds.depth) throw tooDeep()
    at = end
  }
}

/** Returns the position of the character that ends a tag. The same character may occur in attributes. */
function endOfTag(xml: string, from: number, mostAttributes: number): number {
  let quote = ''
  let attributes = 0
  for (let at = from; at < xml.length; at += 1) {
    const sign = xml[at] ?? ''
    if (quote !== '') {
      if (sign === quote) quote = ''
    } else if (sign === '>') return at
    else if (sign === '"' || sign === "'") {
      quote = sign
      attributes += 1
      if (attributes > mostAttributes) throw tooLarge()
    }
  }
  return xml.length
}
