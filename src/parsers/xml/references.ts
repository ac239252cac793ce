import { findAllLocal, findLocal, lineOf, localName } from './local.ts'
import { elementsOf, type XmlNode } from './read-xml.ts'

export const isReference = (name: string) => /^(ref|biblioentry|bibliomixed|bibl|biblstruct)$/.test(name)

/** A bibliography entry on one line: as it is written, else from its parts. */
export function referenceOf(node: XmlNode): string {
  const citation = findLocal(node, 'mixed-citation', 'element-citation', 'nlm-citation', 'citation') ?? node
  const isWritten = citation.children.some((child) => typeof child === 'string' && child.trim() !== '')
  if (isWritten) return lineOf(withNames(citation))
  const people = findAllLocal(citation, 'name', 'string-name', 'author', 'collab').map(personOf)
  const parts = elementsOf(citation)
    .filter(
      (part) =>
        !/^(label|person-group|name|string-name|author|authorgroup|pub-id|collab)$/.test(localName(part)),
    )
    .map(lineOf)
  return [people.join(', '), ...parts].filter(Boolean).join('. ')
}

/** A person's name as the file writes it, its parts separated by spaces. */
export function personOf(node: XmlNode): string {
  const part = (...names: string[]) =>
    findAllLocal(node, ...names)
      .map(lineOf)
      .join(' ')
  const [given, family] = [part('given-names', 'firstname', 'forename', 'given'), part('surname', 'family')]
  return [given, family].filter(Boolean).join(' ') || lineOf(node)
}

/** Names within a line: programs leave no space between their parts. */
function withNames(node: XmlNode): XmlNode {
  const children = node.children.map((child) => {
    if (typeof child === 'string') return child
    if (!/^(name|string-name)$/.test(localName(child))) return withNames(child)
    const isWritten = child.children.some((part) => typeof part === 'string' && part.trim() !== '')
    return isWritten ? child : { ...child, children: [elementsOf(child).map(lineOf).join(' ')] }
  })
  return { ...node, children }
}
