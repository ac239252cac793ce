import PDFDocument from 'pdfkit'
import { between, capital, type MadeTable, phrase, pick, prose, type Random } from './made-table.ts'

export type Doc = InstanceType<typeof PDFDocument>
export type Style = {
  rules: 'none' | 'grid' | 'rows' | 'head' | 'zebra' | 'frame'
  font: 'Helvetica' | 'Times-Roman' | 'Courier'
  size: number
  /** Gap between columns, in font sizes. */
  gap: number
  /** Distance from row to row, in font sizes. */
  leading: number
  /** Draws signs at the edge of their column, apart from their numbers. */
  signsApart: boolean
  /** Centres cells vertically in rows of several lines. */
  isMiddle: boolean
  /** Repeats the head on every page. */
  repeatsHead: boolean
}

export function makeStyle(random: Random, changes: Partial<Style> = {}): Style {
  return {
    rules: pick(random, ['none', 'none', 'grid', 'rows', 'head', 'zebra', 'frame']),
    font: pick(random, ['Helvetica', 'Helvetica', 'Times-Roman']),
    size: between(random, 7, 11),
    gap: pick(random, [0.9, 1.2, 2, 3]),
    leading: pick(random, [1.15, 1.3, 1.6, 2]),
    signsApart: random() < 0.6,
    isMiddle: random() < 0.15,
    repeatsHead: random() < 0.6,
    ...changes,
  }
}

export const PAGE = { width: 595, height: 842, margin: 56 }

export const openPage = (): Doc =>
  new PDFDocument({ size: 'A4', margin: 0, info: { CreationDate: new Date(0) } })

/** Closes the file and returns its bytes. */
export function finish(doc: Doc): Promise<Buffer> {
  const parts: Buffer[] = []
  return new Promise((resolve) => {
    doc.on('data', (part: Buffer) => parts.push(part))
    doc.on('end', () => resolve(Buffer.concat(parts)))
    doc.end()
  })
}

/** Writes flowing text and returns its lower edge. */
export function writeProse(
  doc: Doc,
  random: Random,
  at: { x: number; y: number; width: number; words: number },
): number {
  doc
    .font('Times-Roman')
    .fontSize(10)
    .text(prose(random, at.words), at.x, at.y, { width: at.width, lineGap: 2 })
  return doc.y + 10
}

export function writeTitle(doc: Doc, random: Random, x: number, y: number): number {
  doc
    .font('Helvetica-Bold')
    .fontSize(13)
    .text(capital(phrase(random, 2, 4)), x, y, { lineBreak: false })
  return y + 26
}

type Layout = { lefts: number[]; widths: number[]; heights: number[] }

/** Draws a table and returns its lower edge on its last page. */
export function drawTable(doc: Doc, table: MadeTable, style: Style, at: { x: number; y: number }): number {
  const layout = layOutColumns(doc, table, style, at.x)
  const bottom = PAGE.height - PAGE.margin
  let y = at.y
  let from = 0
  for (let row = 0; row < table.rows; row++) {
    const end = y + (layout.heights[row] as number)
    if (end > bottom) {
      drawRules(doc, table, style, layout, { from, to: row, top: at.y })
      doc.addPage()
      y = PAGE.margin
      from = row
      at = { ...at, y }
      if (style.repeatsHead)
        for (let head = 0; head < table.headRows; head++) y = drawRow(doc, table, style, layout, head, y)
    }
    y = drawRow(doc, table, style, layout, row, y)
  }
  drawRules(doc, table, style, layout, { from, to: table.rows, top: at.y })
  return y + 16
}

function layOutColumns(doc: Doc, table: MadeTable, style: Style, x: number): Layout {
  doc.font(style.font).fontSize(style.size)
  const widths = Array.from({ length: table.columns }, () => 2 * style.size)
  for (const { col, col_end, lines } of table.cells)
    if (col === col_end)
      widths[col] = Math.max(widths[col] as number, ...lines.map((line) => doc.widthOfString(line)))
  for (const { col, col_end, lines } of table.cells) {
    const missing =
      Math.max(...lines.map((line) => doc.widthOfString(line))) - sum(widths.slice(col, col_end + 1))
    if (missing > 0) widths[col_end] = (widths[col_end] as number) + missing
  }
  const gap = style.gap * style.size
  const lefts = widths.map((_, at) => x + sum(widths.slice(0, at)) + at * gap)
  const heights = Array.from({ length: table.rows }, (_, row) => {
    const lines = Math.max(
      1,
      ...table.cells.filter((cell) => cell.row === row).map((cell) => cell.lines.length),
    )
    return (lines - 1) * 1.15 * style.size + style.leading * style.size
  })
  return { lefts, widths, heights }
}

function drawRow(doc: Doc, table: MadeTable, style: Style, layout: Layout, row: number, y: number): number {
  const height = layout.heights[row] as number
  if (style.rules === 'zebra' && row % 2 === 1) {
    const left = (layout.lefts[0] as number) - 3
    doc
      .rect(left, y - 1, rightOf(layout) - left + 3, height)
      .fill('#e8eef4')
      .fillColor('black')
  }
  for (const cell of table.cells.filter((one) => one.row === row)) {
    const isHead = row < table.headRows
    doc
      .font(isHead && style.font !== 'Courier' ? `${style.font.replace('-Roman', '')}-Bold` : style.font)
      .fontSize(style.size)
    const left = layout.lefts[cell.col] as number
    const right = (layout.lefts[cell.col_end] as number) + (layout.widths[cell.col_end] as number)
    const own = (cell.lines.length - 1) * 1.15 * style.size + style.leading * style.size
    const top = y + (style.isMiddle ? (height - own) / 2 : 0) + ((style.leading - 1) * style.size) / 2
    cell.lines.forEach((line, at) => {
      writeCell(doc, line, style, { left, right, y: top + at * 1.15 * style.size, align: cell.align })
    })
  }
  return y + height
}

function writeCell(
  doc: Doc,
  line: string,
  style: Style,
  { left, right, y, align }: { left: number; right: number; y: number; align: 'left' | 'right' | 'center' },
): void {
  const put = (text: string, x: number) => doc.text(text, x, y, { lineBreak: false })
  const sign = /^(\$) (.+)$/.exec(line)
  if (sign && style.signsApart && align === 'right') {
    put('$', left)
    put(sign[2] as string, right - doc.widthOfString(sign[2] as string))
    return
  }
  const width = doc.widthOfString(line)
  put(line, align === 'left' ? left : align === 'right' ? right - width : (left + right - width) / 2)
}

function drawRules(
  doc: Doc,
  table: MadeTable,
  style: Style,
  layout: Layout,
  { from, to, top }: { from: number; to: number; top: number },
): void {
  const { rules } = style
  if (rules === 'none' || rules === 'zebra') return
  const left = (layout.lefts[0] as number) - 3
  const right = rightOf(layout) + 3
  const repeated = from > 0 && style.repeatsHead ? table.headRows : 0
  const rows = [...Array(repeated).keys(), ...Array.from({ length: to - from }, (_, at) => from + at)]
  const ys = [top]
  for (const row of rows) ys.push((ys.at(-1) as number) + (layout.heights[row] as number))
  const line = (x1: number, y1: number, x2: number, y2: number) =>
    doc
      .moveTo(x1, y1 - 1)
      .lineTo(x2, y2 - 1)
      .lineWidth(0.5)
      .stroke()
  const bottom = ys.at(-1) as number
  ys.forEach((y, at) => {
    const isEdge = at === 0 || at === ys.length - 1 || rows[at] === table.headRows
    if (rules === 'grid' || rules === 'rows' || isEdge) line(left, y, right, y)
  })
  if (rules === 'frame' || rules === 'grid') for (const x of [left, right]) line(x, top, x, bottom)
  if (rules !== 'grid') return
  rows.forEach((row, at) => {
    for (let col = 1; col < table.columns; col++) {
      if (table.cells.some((cell) => cell.row === row && cell.col < col && cell.col_end >= col)) continue
      const x =
        ((layout.lefts[col] as number) +
          (layout.lefts[col - 1] as number) +
          (layout.widths[col - 1] as number)) /
        2
      line(x, ys[at] as number, x, ys[at + 1] as number)
    }
  })
}

const rightOf = ({ lefts, widths }: Layout) => (lefts.at(-1) as number) + (widths.at(-1) as number)
const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)
