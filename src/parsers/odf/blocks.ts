import { listItemOf, paragraphOf, tableOf, titleOf } from '../elements/elements.ts'
import type { Cell, Element } from '../elements/port.ts'
import { childOf, elementsOf, textOf, type XmlNode } from '../xml/read-xml.ts'
import { linesOf, readInline } from './inline.ts'
import type { Styles } from './styles.ts'

type List = { depth: number; style: string | undefined }

/** The elements of what stands in a text, a frame or a slide; notes at its end. */
export function readBlocks(node: XmlNode, styles: Styles): Element[] {
  const elements: Element[] = []
  const notes: Element[] = []
  const add = (element: Element | null) => void (element && elements.push(element))

  const paragraph = (own: XmlNode, marker: string | null, depth: number): void => {
    const { runs, frames, notes: below, comments } = readInline(own, styles)
    const level = own.name === 'text:h' ? Number(own.attributes['text:outline-level'] ?? 1) : null
    // Level 1 is the title of the document; the first outline level names its sections.
    if (level !== null) add(titleOf(runs, level + 1))
    else if (/^title$/i.test(own.attributes['text:style-name'] ?? '')) add(titleOf(runs, 1))
    else add(marker === null ? paragraphOf(runs) : listItemOf(runs, depth, marker))
    for (const frame of frames) elements.push(...readFrame(frame, styles))
    for (const comment of comments) add(commentOf(comment, styles))
    for (const note of below) {
      const text = `[${textOf(childOf(note, 'text:note-citation'))}] ${linesOf(childOf(note, 'text:note-body') ?? note, styles)}`
      const element = paragraphOf([{ text }], { extra: { footnote: true } })
      if (element) notes.push(element)
    }
  }

  const list = (own: XmlNode, { depth, style }: List): void => {
    const name = own.attributes['text:style-name'] ?? style
    const isNumbered = styles.isNumbered(name, depth)
    let number = 0
    for (const item of elementsOf(own)) {
      if (item.name !== 'text:list-item' && item.name !== 'text:list-header') continue
      let isFirst = item.name === 'text:list-item'
      if (isFirst) number = Number(item.attributes['text:start-value'] ?? number + 1)
      for (const child of elementsOf(item)) {
        if (child.name === 'text:list') list(child, { depth: depth + 1, style: name })
        else if (child.name === 'text:p' || child.name === 'text:h') {
          paragraph(child, isFirst ? (isNumbered ? `${number}.` : '-') : null, depth)
          isFirst = false
        }
      }
    }
  }

  const block = (own: XmlNode): void => {
    if (own.name === 'text:p' || own.name === 'text:h') paragraph(own, null, 0)
    else if (own.name === 'text:list') list(own, { depth: 0, style: undefined })
    else if (own.name === 'table:table') add(tableOf(readCells(own, styles)))
    else if (own.name.startsWith('draw:')) elements.push(...readFrame(own, styles))
    // Deleted text is kept among the tracked changes.
    else if (
      /^text:(section|index-body|table-of-content|illustration-index|alphabetical-index)$/.test(own.name)
    )
      for (const child of elementsOf(own)) block(child)
  }

  for (const child of elementsOf(node)) block(child)
  return [...elements, ...notes]
}

function commentOf(node: XmlNode, styles: Styles): Element | null {
  const author = textOf(childOf(node, 'dc:creator')).trim()
  const text = linesOf(node, styles)
  return text
    ? paragraphOf([{ text: author ? `${author}: ${text}` : text }], {
        extra: { comment: true, ...(author ? { author } : {}) },
      })
    : null
}

/** Boxes of text, tables and described pictures. */
export function readFrame(frame: XmlNode, styles: Styles): Element[] {
  if (frame.name === 'draw:g') return elementsOf(frame).flatMap((one) => readFrame(one, styles))
  const table = childOf(frame, 'table:table')
  if (table) {
    const element = tableOf(readCells(table, styles))
    return element ? [element] : []
  }
  const about = textOf(childOf(frame, 'svg:desc') ?? childOf(frame, 'svg:title'))
    .replace(/\s+/g, ' ')
    .trim()
  if (childOf(frame, 'draw:image'))
    return about ? [{ type: 'Figure', text: about, markdown: `![${about}]()` }] : []
  return readBlocks(childOf(frame, 'draw:text-box') ?? frame, styles)
}

function readCells(table: XmlNode, styles: Styles): Cell[] {
  const cells: Cell[] = []
  rowsOf(table, false).forEach(({ node, isHeader }, row) => {
    let column = 0
    for (const own of elementsOf(node)) {
      const repeated = Math.min(100, Number(own.attributes['table:number-columns-repeated'] ?? 1))
      if (own.name === 'table:table-cell') {
        const cell: Cell = { row, column, text: linesOf(own, styles) }
        const [rows, columns] = [
          Number(own.attributes['table:number-rows-spanned'] ?? 1),
          Number(own.attributes['table:number-columns-spanned'] ?? 1),
        ]
        if (rows > 1) cell.rowSpan = rows
        if (columns > 1) cell.columnSpan = columns
        if (isHeader) cell.isHeader = true
        cells.push(cell)
      }
      column += repeated
    }
  })
  return cells
}

function rowsOf(table: XmlNode, isHeader: boolean): { node: XmlNode; isHeader: boolean }[] {
  return elementsOf(table).flatMap((child) => {
    if (child.name === 'table:table-row') return [{ node: child, isHeader }]
    if (child.name === 'table:table-header-rows') return rowsOf(child, true)
    return /^table:table-(rows|row-group)$/.test(child.name) ? rowsOf(child, isHeader) : []
  })
}
