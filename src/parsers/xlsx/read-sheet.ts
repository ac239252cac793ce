import { type Area, parseCell, parseRange } from '#shared/knowledge/documents/ranges.ts'
import type { Package } from '../ooxml/package.ts'
import type { Sheet } from '../sheets/book.ts'
import type { SheetCell } from '../sheets/cells.ts'
import { showNumber } from '../sheets/number-format.ts'
import { childOf, childrenOf, eachNode, textOf, type XmlNode } from '../xml/read-xml.ts'
import { richText, type SheetEntry, type Workbook } from './workbook.ts'

const wanted = new Set(['sheetViews', 'cols', 'row', 'mergeCell', 'drawing', 'legacyDrawing'])
/** Formulas shared by many cells of a sheet, by their id: the first cell has the text. */
type Shared = Map<string, string>

/** Reads the rows of a sheet as a stream. Returns the number of formulas without a result in the file. */
export async function readSheet(
  file: Package,
  workbook: Workbook,
  entry: SheetEntry,
  sheet: Sheet,
  onBytes: (bytes: number) => void,
): Promise<{ withoutResult: number }> {
  const source = await file.zip.stream(entry.part)
  if (!source) return { withoutResult: 0 }
  sheet.learn({ merges: await readMerges(file, entry) })
  const shared: Shared = new Map()
  let withoutResult = 0
  let row = -1
  const counted = async function* () {
    for await (const chunk of source) {
      onBytes((chunk as Uint8Array).length)
      yield chunk as Uint8Array
    }
  }
  await eachNode(
    counted(),
    (path) => wanted.has(path.at(-1) ?? ''),
    async (node) => {
      if (node.name === 'sheetViews') sheet.learn({ frozen: frozenOf(node) })
      else if (node.name === 'cols') sheet.learn({ widths: widthsOf(node) })
      else if (node.name === 'row') {
        row = node.attributes.r === undefined ? row + 1 : Number(node.attributes.r) - 1
        const cells = readRow(node, workbook, shared)
        withoutResult += cells.filter(({ text, formula }) => formula !== undefined && text === '').length
        await sheet.add(row, cells)
      }
    },
  )
  return { withoutResult }
}

/** Merged cells come after the rows in the file but are needed with them, so large sheets are read once for them. */
async function readMerges(file: Package, entry: SheetEntry): Promise<Area[]> {
  const source = await file.zip.stream(entry.part)
  const merges: Area[] = []
  if (!source) return merges
  let before = ''
  for await (const chunk of source) {
    const text = before + (chunk as Buffer).toString('latin1')
    for (const [, range] of text.matchAll(/<(?:\w+:)?mergeCell\s+ref="([A-Z0-9:]{2,30})"/g)) {
      const area = range ? parseRange(range) : null
      if (area && merges.length < 10_000) merges.push(area)
    }
    const last = text.lastIndexOf('<')
    before = last >= 0 && text.length - last < 200 ? text.slice(last) : ''
  }
  return merges
}

function readRow(row: XmlNode, workbook: Workbook, shared: Shared): SheetCell[] {
  let next = 0
  return childrenOf(row, 'c').map((node) => {
    const column = parseCell(node.attributes.r ?? '')?.column ?? next
    next = column + 1
    const formula = formulaOf(childOf(node, 'f'), shared)
    return { column, ...shownValue(node, workbook), ...(formula !== undefined && { formula }) }
  })
}

function shownValue(node: XmlNode, { strings, formats, is1904 }: Workbook): Pick<SheetCell, 'text' | 'kind'> {
  const value = textOf(childOf(node, 'v'))
  const format = formats[Number(node.attributes.s ?? 0)] ?? 'General'
  switch (node.attributes.t) {
    case 's':
      return { text: tidy(strings[Number(value)] ?? ''), kind: 's' }
    case 'inlineStr':
      return {
        text: tidy(richText(childOf(node, 'is') ?? { name: '', attributes: {}, children: [] })),
        kind: 's',
      }
    case 'str':
      return { text: tidy(value), kind: 's' }
    case 'b':
      return { text: value === '1' ? 'TRUE' : 'FALSE', kind: 'b' }
    case 'e':
      return { text: value, kind: 'e' }
    case 'd':
      return { text: value.replace('T', ' ').replace(/ 00:00:00(\.0+)?Z?$/, ''), kind: 'd' }
    default:
      if (value === '') return { text: '', kind: 's' }
      return Number.isNaN(Number(value))
        ? { text: value, kind: 's' }
        : showNumber(Number(value), format, is1904)
  }
}

function formulaOf(node: XmlNode | undefined, shared: Shared): string | undefined {
  if (!node) return undefined
  const text = textOf(node)
  const id = node.attributes.si
  if (node.attributes.t !== 'shared' || id === undefined) return text || undefined
  if (text) shared.set(id, text)
  return text || shared.get(id)
}

function frozenOf(views: XmlNode): { rows: number; columns: number } {
  const pane = childOf(views, 'sheetView', 'pane')
  const isFrozen = pane?.attributes.state?.startsWith('frozen')
  if (!isFrozen) return { rows: 0, columns: 0 }
  return { rows: Number(pane?.attributes.ySplit ?? 0), columns: Number(pane?.attributes.xSplit ?? 0) }
}

function widthsOf(columns: XmlNode): number[] {
  const widths: number[] = []
  for (const { attributes } of childrenOf(columns, 'col')) {
    const [first, last] = [Number(attributes.min) - 1, Math.min(Number(attributes.max) - 1, 1000)]
    for (let at = first; at <= last && at >= 0; at += 1)
      widths[at] = Math.round(Number(attributes.width ?? 8) * 10) / 10
  }
  return widths
}

const tidy = (text: string) =>
  text
    .replace(/_x([0-9A-F]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\r\n?/g, '\n')
    .trim()
