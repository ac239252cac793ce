import type { Element, PageBox } from '../elements/port.ts'
import { tableMarkdown, tableText } from '../elements/table.ts'
import type { Block } from './block.ts'
import type { Table } from './lines/page-table.ts'
import { LIST_MARK, type Paragraph } from './lines/paragraphs.ts'
import type { Font } from './page/read-graphics.ts'
import { boxOf, type Edges } from './page/run.ts'
import { noteElement } from './place-notes.ts'
import { cellsOf } from './two-page-tables.ts'

const CAPTION = /^(?:figure|fig\.?|table|listing|tableau|illustration|abbildung|tabelle)\s*\d+[\s.:–-]/iu

/** Converts a block to an element. */
export function toElement(
  block: Block,
  { levels, isFixedPitch }: { levels: Map<Block, number>; isFixedPitch: boolean },
): Element {
  const { paragraph, table, scanned, note } = block
  if (note) return noteElement({ ...block, note })
  if (scanned) {
    const { text, box } = scanned
    return { type: 'NarrativeText', text, place: { boxes: [{ page: block.page, box }] } }
  }
  if (table) return tableElement(block, table)
  if (!paragraph) return { type: 'Figure', text: '', place: placeOf(block, block.picture ?? NOWHERE) }
  const place = placeOf(block, paragraph)
  const { text } = paragraph
  if (block.edge) return { type: block.edge, text, place }
  if (CAPTION.test(text) && block.role?.kind !== 'heading')
    return { type: 'NarrativeText', text, place, extra: { caption: true } }
  const level = levels.get(block)
  if (level !== undefined) return { type: 'Title', text, level, place }
  if (block.style.fixed > 0.9 && !isFixedPitch) return { type: 'CodeSnippet', text: codeOf(paragraph), place }
  if (block.style.math > 0.3 && text.length < 160 && /[=<>≤≥≈∈∑∫]/u.test(text))
    return { type: 'Formula', text, place }
  if (LIST_MARK.test(text) || block.role?.kind === 'item') return listItem(text, place)
  return { type: 'NarrativeText', text, place }
}

const NOWHERE: Edges = { left: 0, top: 0, right: 0, bottom: 0 }

const placeOf = (block: Block, edges: Edges): { boxes: PageBox[] } => ({
  boxes: [{ page: block.page, box: boxOf(edges, block.turn, block.size) }],
})

function tableElement(block: Block, table: Table): Element {
  const cells = cellsOf(block).map(({ cell, on }) => {
    const { row, column, rowSpan, columnSpan, text, runs: _, ...edges } = cell
    return {
      row,
      column,
      ...(rowSpan > 1 ? { rowSpan } : {}),
      ...(columnSpan > 1 ? { columnSpan } : {}),
      text,
      ...(row === 0 ? { isHeader: true } : {}),
      box: { page: on.page, box: boxOf(edges, on.turn, on.size) },
    }
  })
  const more = (block.onNextPages ?? []).flatMap((on) => placeOf(on, on.table ?? NOWHERE).boxes)
  return {
    type: 'Table',
    text: tableText(cells),
    markdown: tableMarkdown(cells),
    cells,
    place: { boxes: [...placeOf(block, table).boxes, ...more] },
    ...(more.length > 0 ? { extra: { row_pages: rowPages(block) } } : {}),
  }
}

/** Returns the number of rows on each page of a table, to place the chunks cut from it. */
const rowPages = (block: Block) =>
  [block, ...(block.onNextPages ?? [])].map(({ table }) => table?.rows ?? 0).join(' ')

function listItem(text: string, place: { boxes: PageBox[] }): Element {
  const mark = LIST_MARK.exec(text)?.[0] ?? ''
  const isNumbered = /[\p{L}\p{N}]/u.test(mark)
  if (isNumbered) return { type: 'ListItem', text, markdown: text, level: 0, place }
  return { type: 'ListItem', text: text.slice(mark.length), level: 0, place }
}

/** Returns the lines, indented as on the page. */
function codeOf({ lines, left }: Paragraph): string {
  return lines
    .map((line) => {
      const width = (line.right - line.left) / Math.max(1, line.text.length)
      return ' '.repeat(Math.min(80, Math.max(0, Math.round((line.left - left) / width)))) + line.text
    })
    .join('\n')
}

/** Returns the shares of letters in each style. */
export function styleOf(paragraph: Paragraph, fonts: Map<string, Font>): Block['style'] {
  const style = { bold: 0, italic: 0, fixed: 0, math: 0 }
  let all = 0
  for (const { runs } of paragraph.lines.flatMap(({ segments }) => segments)) {
    for (const run of runs) {
      const font = fonts.get(run.font)
      all += run.text.length
      if (font?.stress) style[font.stress] += run.text.length
      if (font?.isFixedPitch) style.fixed += run.text.length
      if (font?.isMath) style.math += run.text.length
    }
  }
  const share = (count: number) => (all === 0 ? 0 : count / all)
  return {
    bold: share(style.bold),
    italic: share(style.italic),
    fixed: share(style.fixed),
    math: share(style.math),
  }
}
