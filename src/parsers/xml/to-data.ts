import type { Data } from '../records/records.ts'
import { elementsOf, textOf, type XmlNode } from './read-xml.ts'

/**
 * XML that is not a text as data: attributes and elements are fields, elements of the same name a list, and text among
 * elements one value.
 */
export function toData(node: XmlNode): Data {
  const elements = elementsOf(node)
  const text = textOf(node).trim()
  const attributes = Object.entries(node.attributes).filter(([name]) => !/^(xmlns|xsi|xml)(:|$)/.test(name))
  const isMixed = node.children.some((child) => typeof child === 'string' && child.trim() !== '')
  if (elements.length === 0 || isMixed)
    return attributes.length === 0 ? text : { ...Object.fromEntries(attributes), ...(text && { text }) }
  const fields: [string, Data][] = [...Map.groupBy(elements, fieldName)].map(([name, same]) => {
    const [first] = same
    return [name, same.length === 1 && first ? toData(first) : same.map(toData)]
  })
  return Object.fromEntries([...attributes, ...fields])
}

const fieldName = ({ name }: XmlNode) => name.slice(name.indexOf(':') + 1)
