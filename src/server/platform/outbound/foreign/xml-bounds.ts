import { tooDeep, tooLarge } from './json-scanner.ts'

/** What the XML of a stranger may come to: tags, levels of nesting, and attributes of one tag. */
export type XmlBounds = { characters: number; tags: number; depth: number; attributes: number }

/**
 * Counts the tags of a text of XML before anything parses it: readers of XML take more time with each level and each attribute.
 * It need not be well formed; its reader tells. @throws AppError `too_large`
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

/** The place of the sign that ends a tag, which may stand in its attributes as well. */
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
