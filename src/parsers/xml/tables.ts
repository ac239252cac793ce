import type { ElementContent, Element as HastElement } from 'hast'
import { h, textNode } from './html-nodes.ts'
import { attributeOf, findAllLocal, lineOf, localName } from './local.ts'
import { elementsOf, type XmlNode } from './read-xml.ts'

export const isTable = (name: string) => /^(table|informaltable|simpletable)$/.test(name)

/** A table in the model of HTML, of CALS (`tgroup`, `row`, `entry`) or of TEI (`row`, `cell`). */
export function cellTable(table: XmlNode, contentOf: (cell: XmlNode) => ElementContent[]): ElementContent[] {
  const title = elementsOf(table).find((child) => /^(title|head|caption)$/.test(localName(child)))
  const columns = columnsOf(table)
  const rows = rowsOf(table, false).map(({ row, isHead }) =>
    h(
      'tr',
      cellsOf(row).map((cell) => cellOf(cell, isHead, columns, contentOf)),
    ),
  )
  return [...(title ? [h('p', [textNode(lineOf(title))])] : []), h('table', rows)]
}

function rowsOf(node: XmlNode, isHead: boolean): { row: XmlNode; isHead: boolean }[] {
  return elementsOf(node).flatMap((child) => {
    const name = localName(child)
    if (/^(tr|row|strow|sthead)$/.test(name))
      return [{ row: child, isHead: isHead || name === 'sthead' || attributeOf(child, 'role') === 'label' }]
    return /^(thead|tbody|tfoot|tgroup|col|colgroup)$/.test(name)
      ? rowsOf(child, isHead || name === 'thead')
      : []
  })
}

const cellsOf = (row: XmlNode) =>
  elementsOf(row).filter((cell) => /^(td|th|entry|entrytbl|cell|stentry)$/.test(localName(cell)))

/** The positions of the columns that CALS names. */
function columnsOf(table: XmlNode): Map<string, number> {
  return new Map(findAllLocal(table, 'colspec').map((one, at) => [attributeOf(one, 'colname'), at]))
}

function cellOf(
  cell: XmlNode,
  isHead: boolean,
  columns: Map<string, number>,
  contentOf: (cell: XmlNode) => ElementContent[],
): HastElement {
  const number = (name: string) => Number.parseInt(attributeOf(cell, name), 10)
  const first = columns.get(attributeOf(cell, 'namest'))
  const last = columns.get(attributeOf(cell, 'nameend'))
  const spanned = first === undefined || last === undefined ? Number.NaN : last - first + 1
  const isHeader = isHead || localName(cell) === 'th' || attributeOf(cell, 'role') === 'label'
  return h(isHeader ? 'th' : 'td', contentOf(cell), {
    rowSpan: number('rowspan') || number('rows') || number('morerows') + 1 || 1,
    colSpan: number('colspan') || number('cols') || spanned || 1,
  })
}
