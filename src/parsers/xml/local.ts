import { elementsOf, textOf, type XmlNode } from './read-xml.ts'

/** The name without its prefix, in lower case; kinds of documents differ in both. */
export const localName = ({ name }: XmlNode) => name.slice(name.indexOf(':') + 1).toLowerCase()

/** An attribute by its name without prefix; empty if it is not set. */
export function attributeOf({ attributes }: XmlNode, name: string): string {
  const found = Object.keys(attributes).find((key) => key.slice(key.indexOf(':') + 1).toLowerCase() === name)
  return found === undefined ? '' : (attributes[found] ?? '')
}

/** The first descendant with one of these names, at any depth. */
export function findLocal(node: XmlNode, ...names: string[]): XmlNode | undefined {
  for (const child of elementsOf(node)) {
    const found = names.includes(localName(child)) ? child : findLocal(child, ...names)
    if (found) return found
  }
  return undefined
}

/** All descendants with one of these names; those inside a match are left out. */
export function findAllLocal(node: XmlNode, ...names: string[]): XmlNode[] {
  return elementsOf(node).flatMap((child) =>
    names.includes(localName(child)) ? [child] : findAllLocal(child, ...names),
  )
}

/** All text below an element, on one line. */
export const lineOf = (node: XmlNode | undefined) => textOf(node).replace(/\s+/g, ' ').trim()

/** The same element without its children of these names. */
export function withoutChildren(node: XmlNode, ...names: string[]): XmlNode {
  const children = node.children.filter(
    (child) => typeof child === 'string' || !names.includes(localName(child)),
  )
  return { ...node, children }
}
