import { listItemOf, paragraphOf, tableOf } from '../elements/elements.ts'
import type { Element } from '../elements/port.ts'
import { findAll, textOf, type XmlNode } from '../xml/read-xml.ts'
import { readChart } from './charts.ts'

/** Returns the title and the table of a chart, or the texts of a diagram as a list; nothing for another part. */
export function readGraphic(root: XmlNode | null): Element[] {
  if (root?.name === 'dgm:dataModel') return findAll(root, 'dgm:t').flatMap(itemsOf)
  const { title, cells } = readChart(root)
  return [paragraphOf([{ text: title }]), tableOf(cells)].filter((element) => element !== null)
}

const itemsOf = (text: XmlNode): Element[] =>
  findAll(text, 'a:p')
    .map((one) => listItemOf([{ text: findAll(one, 'a:t').map(textOf).join('') }], 0, '-'))
    .filter((element) => element !== null)
