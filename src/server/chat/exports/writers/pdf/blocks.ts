import { directionOfBlock } from '#shared/platform/markdown/direction.ts'
import type { Block, Inline, ListBlock } from '#shared/platform/markdown/tree.ts'
import type { Picture } from '../../chat/chat-document.ts'
import { mathLines } from '../math/math-text.ts'
import { type Flow, PAGE, TEXT_WIDTH } from './flow.ts'
import { INK, type InlineWords, piecesOf, QUIET } from './inlines.ts'
import { breakLines, type Piece, type Style } from './lines.ts'
import { drawTable } from './table.ts'

export type Page = { flow: Flow; words: InlineWords; images: Record<string, Picture> }
/** Position of blocks: indent in points from the margin, and the quote bars to draw. */
export type Room = {
  x: number
  bars: number[] /** Indent from the right, of right-to-left lists. */
  right?: number
}

export const TEXT: Style = { face: 'regular', size: 10.5, color: INK }
export const TEXT_LINE = 15.5
const CODE: Style = { face: 'mono', size: 8.6, color: INK }
const CODE_LINE = 12
const sizes = [15, 13, 11.5, 10.5]
const INDENT = 18
const MAX_PICTURE_HEIGHT = 420

export function drawBlocks(page: Page, blocks: Block[], room: Room): void {
  for (const block of blocks) drawBlock(page, block, room)
}

function drawBlock(page: Page, block: Block, room: Room): void {
  const { flow } = page
  switch (block.type) {
    case 'paragraph':
      drawInlines(page, block.children, TEXT, TEXT_LINE, room)
      flow.gap(7)
      break
    case 'heading': {
      const size = sizes[block.level - 1] ?? 10.5
      flow.gap(8)
      flow.ensure(size * 4)
      drawInlines(page, block.children, { face: 'bold', size, color: INK }, size * 1.4, room)
      flow.gap(4)
      break
    }
    case 'code':
    case 'html':
    case 'plain':
      drawCode(page, block.text, room)
      break
    case 'math':
      for (const text of mathLines(block.tex, true))
        drawPieces(page, [{ text, style: TEXT }], TEXT_LINE, { ...room, x: room.x + INDENT })
      flow.gap(7)
      break
    case 'list':
      drawList(page, block, room)
      break
    case 'quote':
      drawBlocks(page, block.children, { x: room.x + 14, bars: [...room.bars, room.x] })
      break
    case 'table':
      drawTable(flow, block, room.x, page.words)
      break
    case 'rule':
      flow.gap(6)
      flow.ensure(12)
      flow.doc
        .moveTo(PAGE.side + room.x, flow.y)
        .lineTo(PAGE.side + TEXT_WIDTH, flow.y)
        .lineWidth(0.6)
        .strokeColor('#d0d0cc')
        .stroke()
      flow.gap(12)
      break
    case 'footnotes':
      for (const { number, children } of block.items) {
        drawPieces(page, [{ text: `(${number})`, style: { ...TEXT, size: 8.5, color: QUIET } }], 12, room)
        drawBlocks(page, children, { ...room, x: room.x + INDENT })
      }
      break
    default:
      block satisfies never
  }
}

/** Draws inline content as lines, with its pictures below. */
export function drawInlines(page: Page, nodes: Inline[], style: Style, height: number, room: Room): void {
  const pieces = piecesOf(nodes, style, page.words)
  if (pieces.some((piece) => piece === 'break' || piece.text.trim() !== ''))
    drawPieces(page, pieces, height, room)
  for (const address of picturesIn(nodes)) drawPicture(page, address, room)
}

export function drawPieces({ flow }: Page, pieces: Piece[], height: number, room: Room): void {
  const { x, bars, right = 0 } = room
  for (const line of breakLines(flow.fonts, pieces, TEXT_WIDTH - x - right)) {
    const end = Math.max(x, TEXT_WIDTH - right - line.width)
    flow.line(line, { x: line.isRtl ? end : x, height, bars })
  }
}

function drawCode({ flow }: Page, text: string, { x, bars }: Room): void {
  flow.gap(3)
  for (const words of text.replaceAll('\t', '    ').split('\n')) {
    // Leading spaces are part of the code.
    const pieces: Piece[] = [{ text: words.replaceAll(' ', '\u00a0'), style: CODE }]
    for (const line of breakLines(flow.fonts, pieces, TEXT_WIDTH - x - 8))
      flow.line(line, { x: x + 4, height: CODE_LINE, bars, ground: true })
  }
  flow.gap(9)
}

function drawList(page: Page, list: ListBlock, room: Room): void {
  const { flow } = page
  for (const [at, { checked, children }] of list.items.entries()) {
    const mark = checked === null ? (list.ordered ? `${list.start + at}.` : '•') : checked ? '☒' : '☐'
    flow.ensure(TEXT_LINE)
    const [line] = breakLines(flow.fonts, [{ text: mark, style: TEXT }], 60)
    const before = { y: flow.y, pages: flow.doc.bufferedPageRange().count }
    const isRtl = directionOfBlock(list) === 'rtl'
    const { x, right = 0 } = room
    const markAt = isRtl ? TEXT_WIDTH - right - INDENT + 6 : x + Math.max(0, INDENT - 6 - (line?.width ?? 0))
    if (line) flow.draw(line, markAt, flow.y)
    drawBlocks(page, children, isRtl ? { ...room, right: right + INDENT } : { ...room, x: x + INDENT })
    const isEmpty = flow.y === before.y && flow.doc.bufferedPageRange().count === before.pages
    if (isEmpty) flow.y += TEXT_LINE
    if (!list.loose) flow.y -= children.at(-1)?.type === 'paragraph' ? 5 : 0
  }
  flow.gap(list.loose ? 0 : 5)
}

export function drawPicture({ flow, images }: Page, address: string, { x }: Room): void {
  const picture = images[address]
  if (!picture) return
  const most = TEXT_WIDTH - x
  // At most 0.75 points per pixel, the size on a screen.
  const scale = Math.min(0.75, most / picture.width, MAX_PICTURE_HEIGHT / picture.height)
  const [width, height] = [picture.width * scale, picture.height * scale]
  flow.ensure(height + 8)
  flow.doc.image(Buffer.from(picture.bytes), PAGE.side + x, flow.y, { width, height })
  flow.y += height
  flow.gap(10)
}

function picturesIn(nodes: Inline[]): string[] {
  return nodes.flatMap((node) =>
    node.type === 'image' ? [node.url] : 'children' in node ? picturesIn(node.children) : [],
  )
}
