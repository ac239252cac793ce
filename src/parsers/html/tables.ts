import type { Cell } from '../elements/port.ts'
import { plainText, type Run, tidyRuns } from '../elements/runs.ts'
import { attribute, findElements, type HastElement } from './hast.ts'
import { lookInside, replaced } from './inline.ts'
import { isShown } from './is-shown.ts'

/** More than any real table; larger spans are cut. */
const MAX_SPAN = 1000

/** Returns true if a table holds data. Mails and old pages also use tables for layout. */
export function isData(table: HastElement): boolean {
  if (/^(presentation|none)$/.test(attribute(table, 'role'))) return false
  const rows = rowsOf(table)
  const cells = rows.flatMap(cellsOfRow)
  if (cells.some(({ tagName }) => tagName === 'th')) return true
  if (!rows.some((row) => cellsOfRow(row).length > 1)) return false
  const holds = (pattern: RegExp) => findElements(table, ({ tagName }) => pattern.test(tagName)).length > 0
  if (holds(/^h[1-6]$/)) return false
  // A frame around other tables, unless it defines the spacing of its cells.
  return !holds(/^table$/) || (rows.length > 1 && !isSpaced(table))
}

const isSpaced = ({ properties }: HastElement) =>
  ['cellPadding', 'cellSpacing', 'border', 'width'].some((name) => properties[name] !== undefined)

/** The cells of a table with their rows and columns. */
export function readCells(table: HastElement): Cell[] {
  const cells: Cell[] = []
  const taken = new Map<number, number>()
  rowsOf(table).forEach((row, at) => {
    let column = 0
    for (const node of cellsOfRow(row)) {
      while ((taken.get(column) ?? 0) > at) column += 1
      const rowSpan = spanOf(node, 'rowSpan')
      const columnSpan = spanOf(node, 'colSpan')
      for (let one = column; one < column + columnSpan; one += 1) taken.set(one, at + rowSpan)
      const cell: Cell = { row: at, column, text: plainText(tidyRuns(runsBelow(node))) }
      if (rowSpan > 1) cell.rowSpan = rowSpan
      if (columnSpan > 1) cell.columnSpan = columnSpan
      if (node.tagName === 'th') cell.isHeader = true
      cells.push(cell)
      column += columnSpan
    }
  })
  return bounded(cells)
}

/** All text of a cell; blocks are separated by line ends. */
function runsBelow(node: HastElement, marker = ''): Run[] {
  const runs: Run[] = []
  let number = Number(attribute(node, 'start') || 1)
  for (const child of node.children) {
    if (child.type === 'text') runs.push({ text: child.value.replace(/\s+/g, ' ') })
    if (child.type !== 'element' || !isShown(child)) continue
    const instead = replaced(child, lookInside(child, {}))
    if (instead) runs.push(...instead)
    else if (child.tagName === 'li')
      runs.push({ text: `\n${node.tagName === 'ol' ? `${number++}.` : '-'} ` }, ...runsBelow(child))
    else if (isLine(child)) runs.push({ text: '\n' }, ...runsBelow(child, marker), { text: '\n' })
    else runs.push(...runsBelow(child, marker), ...(/^t[dh]$/.test(child.tagName) ? [{ text: ' ' }] : []))
  }
  return runs
}

const isLine = ({ tagName }: HastElement) =>
  /^(p|div|ul|ol|dl|dt|dd|tr|table|h[1-6]|section|pre|blockquote)$/.test(tagName)

function rowsOf(table: HastElement): HastElement[] {
  return elementsIn(table)
    .flatMap((child) => (/^t(head|body|foot)$/.test(child.tagName) ? elementsIn(child) : [child]))
    .filter(({ tagName }) => tagName === 'tr')
}

function cellsOfRow(row: HastElement): HastElement[] {
  return elementsIn(row).filter(({ tagName }) => tagName === 'td' || tagName === 'th')
}

function elementsIn(node: HastElement): HastElement[] {
  return node.children.filter((child) => child.type === 'element').filter(isShown)
}

function spanOf(node: HastElement, name: 'rowSpan' | 'colSpan'): number {
  const span = Math.trunc(Number(node.properties[name] ?? 1))
  return span > 0 ? Math.min(span, MAX_SPAN) : 1
}

/** Rows that span beyond the end of the table end with it. */
function bounded(cells: Cell[]): Cell[] {
  const rows = cells.reduce((most, { row }) => Math.max(most, row + 1), 0)
  return cells.map((cell) => {
    const rowSpan = Math.min(cell.rowSpan ?? 1, rows - cell.row)
    const { rowSpan: _, ...rest } = cell
    return rowSpan > 1 ? { ...rest, rowSpan } : rest
  })
}
