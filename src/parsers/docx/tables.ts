import type { Cell } from '../elements/port.ts'
import { childOf, elementsOf, type XmlNode } from '../xml/read-xml.ts'
import { setting } from './styles.ts'

/** The cells of a table; `textOf` reads the content of one. */
export function readTable(table: XmlNode, textOf: (cell: XmlNode) => string): Cell[] {
  const cells: Cell[] = []
  /** Cells that span rows, by the column they begin in. */
  const open = new Map<number, Cell>()
  rowsOf(table).forEach((row, at) => {
    let column = Number(setting(childOf(row, 'w:trPr', 'w:gridBefore')) ?? 0)
    const isHeader = childOf(row, 'w:trPr', 'w:tblHeader') !== undefined
    for (const node of inside(row, 'w:tc')) {
      const properties = childOf(node, 'w:tcPr')
      const span = Math.min(1000, Math.max(1, Number(setting(childOf(properties, 'w:gridSpan')) ?? 1)))
      const merge = childOf(properties, 'w:vMerge')
      const above = open.get(column)
      if (merge && setting(merge) !== 'restart' && above) {
        above.rowSpan = at - above.row + 1
      } else {
        const cell: Cell = { row: at, column, text: textOf(node) }
        if (span > 1) cell.columnSpan = span
        if (isHeader) cell.isHeader = true
        cells.push(cell)
        if (merge) open.set(column, cell)
        else open.delete(column)
      }
      column += span
    }
  })
  return cells
}

function rowsOf(table: XmlNode): XmlNode[] {
  return inside(table, 'w:tr').filter((row) => childOf(row, 'w:trPr', 'w:del') === undefined)
}

/** Rows or cells, including those in content controls and insertions. */
function inside(node: XmlNode, name: string): XmlNode[] {
  return elementsOf(node).flatMap((child) => {
    if (child.name === name) return [child]
    return /^w:(sdt|sdtContent|ins|customXml)$/.test(child.name) ? inside(child, name) : []
  })
}
