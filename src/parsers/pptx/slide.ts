import { listItemOf, paragraphOf, tableOf, titleOf } from '../elements/elements.ts'
import type { Box, Cell, Element } from '../elements/port.ts'
import { plainText } from '../elements/runs.ts'
import { readGraphic } from '../ooxml/graphics.ts'
import type { Package, Relation } from '../ooxml/package.ts'
import { childOf, findAll, textOf, type XmlNode } from '../xml/read-xml.ts'
import { type DrawnParagraph, readParagraphs } from './paragraphs.ts'
import { readingOrder } from './reading-order.ts'
import { baseOf, type Frame, isBody, isTitle, type Shape, shapesOf, tableRows } from './shapes.ts'

export type Size = { width: number; height: number }
/** The shapes and styles a slide inherits from its layout and its master. */
export type Base = { layout: Shape[]; master: Shape[]; styles: XmlNode | undefined }

export type SlideText = { elements: Element[]; picturesWithoutText: number }

/** The elements of a slide with the boxes of their shapes; its title comes first. */
export async function readSlide(
  file: Package,
  slide: { part: string; number: number },
  size: Size,
  base: Base,
): Promise<SlideText> {
  const root = await file.part(slide.part)
  const relations = await file.relations(slide.part)
  const result: SlideText = { elements: [], picturesWithoutText: 0 }
  const shapes = shapesOf(childOf(root, 'p:cSld', 'p:spTree'))
  const isFirst = ({ placeholder }: Shape) => placeholder !== null && isTitle(placeholder.type)
  const frameOf = (shape: Shape) => shape.frame ?? inherited(shape, base)
  const others = readingOrder(
    shapes.filter((one) => !isFirst(one)),
    frameOf,
  )
  for (const shape of [...shapes.filter(isFirst), ...others]) {
    const found = await elementsOf(file, shape, relations, base, result)
    const box = boxOf(frameOf(shape), size)
    const place = box ? { boxes: [{ page: slide.number, box }] } : { page: slide.number }
    result.elements.push(...found.map((element) => ({ ...element, place })))
  }
  return result
}

async function elementsOf(
  file: Package,
  { node, placeholder }: Shape,
  relations: Map<string, Relation>,
  base: Base,
  result: SlideText,
): Promise<Element[]> {
  if (node.name === 'p:sp' || node.name === 'p:cxnSp') {
    const body = childOf(node, 'p:txBody')
    const paragraphs = readParagraphs(body, stylesOf(node, placeholder, base), relations)
    return shapeText(paragraphs, placeholder?.type ?? null)
  }
  if (node.name === 'p:pic') {
    const about = (childOf(node, 'p:nvPicPr', 'p:cNvPr')?.attributes.descr ?? '').replace(/\s+/g, ' ').trim()
    if (about) return [{ type: 'Figure', text: about, markdown: `![${about.replace(/[[\]]/g, '')}]()` }]
    result.picturesWithoutText += 1
    return []
  }
  return frameElements(file, node, relations)
}

function shapeText(paragraphs: DrawnParagraph[], type: string | null): Element[] {
  const filled = paragraphs.filter(({ runs }) => plainText(runs).trim())
  if (type === 'dt' || type === 'sldNum') return []
  const text = filled.map(({ runs }) => plainText(runs).trim()).join('\n')
  if (type === 'ftr' || type === 'hdr')
    return text ? [{ type: type === 'ftr' ? 'Footer' : 'Header', text }] : []
  if (type !== null && isTitle(type)) {
    const runs = filled.flatMap(({ runs: own }, at) => (at ? [{ text: ' ' }, ...own] : own))
    const title = titleOf(runs, 1)
    return title ? [title] : []
  }
  return filled
    .map(({ runs, depth, marker }) => (marker === null ? paragraphOf(runs) : listItemOf(runs, depth, marker)))
    .filter((one) => one !== null)
}

/** Tables, charts and diagrams. */
async function frameElements(
  file: Package,
  node: XmlNode,
  relations: Map<string, Relation>,
): Promise<Element[]> {
  const [table] = findAll(node, 'a:tbl')
  if (table) return present(tableOf(cellsOf(table, relations)))
  const [chart] = findAll(node, 'c:chart')
  const [diagram] = findAll(node, 'dgm:relIds')
  const id = chart?.attributes['r:id'] ?? diagram?.attributes['r:dm']
  return readGraphic(await file.part(relations.get(id ?? '')?.target ?? ''))
}

function cellsOf(table: XmlNode, relations: Map<string, Relation>): Cell[] {
  const hasHead = /^(1|true)$/.test(childOf(table, 'a:tblPr')?.attributes.firstRow ?? '')
  return tableRows(table).flatMap((row, at) =>
    row.flatMap((node, column): Cell[] => {
      const { hMerge, vMerge, gridSpan, rowSpan } = node.attributes
      if (/^(1|true)$/.test(hMerge ?? '') || /^(1|true)$/.test(vMerge ?? '')) return []
      const lines = readParagraphs(childOf(node, 'a:txBody'), [], relations)
      const text = lines.map(({ runs, marker }) => `${marker ? `${marker} ` : ''}${plainText(runs).trim()}`)
      const cell: Cell = { row: at, column, text: text.filter(Boolean).join('\n') }
      if (Number(rowSpan) > 1) cell.rowSpan = Number(rowSpan)
      if (Number(gridSpan) > 1) cell.columnSpan = Number(gridSpan)
      if (at === 0 && hasHead) cell.isHeader = true
      return [cell]
    }),
  )
}

function stylesOf(
  node: XmlNode,
  placeholder: Shape['placeholder'],
  { layout, master, styles }: Base,
): (XmlNode | undefined)[] {
  const own = childOf(node, 'p:txBody', 'a:lstStyle')
  if (!placeholder) return [own]
  const listOf = (shapes: Shape[]) => childOf(baseOf(shapes, placeholder)?.node, 'p:txBody', 'a:lstStyle')
  const kind = isTitle(placeholder.type)
    ? 'p:titleStyle'
    : isBody(placeholder.type) || placeholder.type === 'subTitle'
      ? 'p:bodyStyle'
      : 'p:otherStyle'
  return [own, listOf(layout), listOf(master), childOf(styles, kind)]
}

function inherited({ placeholder }: Shape, { layout, master }: Base): Frame | null {
  if (!placeholder) return null
  return baseOf(layout, placeholder)?.frame ?? baseOf(master, placeholder)?.frame ?? null
}

function boxOf(frame: Frame | null, { width, height }: Size): Box | null {
  if (!frame || !(width > 0) || !(height > 0)) return null
  const share = (value: number) => Math.min(1, Math.max(0, value))
  const box: Box = [
    share(frame.x / width),
    share(frame.y / height),
    share((frame.x + frame.width) / width),
    share((frame.y + frame.height) / height),
  ]
  return box.every(Number.isFinite) ? box : null
}

/** The text of the speaker notes of a slide. */
export async function readNotes(file: Package, part: string): Promise<string> {
  const [notes] = await file.related(part, 'notesSlide')
  if (!notes) return ''
  const shapes = shapesOf(childOf(await file.part(notes), 'p:cSld', 'p:spTree'))
  const body = shapes.find(({ placeholder }) => placeholder?.type === 'body')
  const paragraphs = readParagraphs(childOf(body?.node, 'p:txBody'), [], new Map())
  return paragraphs
    .map(({ runs }) => plainText(runs).trim())
    .filter(Boolean)
    .join('\n')
}

/** The comments on a slide. */
export async function readComments(file: Package, part: string): Promise<string[]> {
  const names = await file.related(part, 'comments')
  const roots = await Promise.all(names.map(file.part))
  return roots
    .flatMap((root) =>
      (root?.children ?? []).flatMap((one) => {
        if (typeof one === 'string') return []
        const legacy = findAll(one, 'p:text').map(textOf)
        return legacy.length > 0
          ? legacy
          : findAll(one, 'a:p').map((line) => findAll(line, 'a:t').map(textOf).join(''))
      }),
    )
    .map((text) => text.trim())
    .filter(Boolean)
}

const present = (element: Element | null) => (element ? [element] : [])
