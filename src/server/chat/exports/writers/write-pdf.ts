import { buffer } from 'node:stream/consumers'
import PDFDocument from 'pdfkit'
import { beginningOf } from '../chat/beginning.ts'
import type { ChatDocument, Entry, Note } from '../chat/chat-document.ts'
import { safeLink } from './links.ts'
import { describeNote } from './note-words.ts'
import { drawBlocks, drawPicture, drawPieces, type Page } from './pdf/blocks.ts'
import { type Foot, noteHeight, PAGE, startFlow, TEXT_WIDTH } from './pdf/flow.ts'
import { drawnWith, type Fonts, openFonts } from './pdf/fonts.ts'
import { INK, LINK, QUIET } from './pdf/inlines.ts'
import { breakLines, type Style } from './pdf/lines.ts'
import { nameScripts } from './pdf/scripts.ts'

const quiet: Style = { face: 'regular', size: 9, color: QUIET }
const note: Style = { face: 'regular', size: 8, color: '#4a4954' }
const none = { x: 0, bars: [] }

/** Writes a chat as an A4 PDF with footnotes, an outline and embedded fonts. */
export async function writePdf(
  document: ChatDocument,
  onDone: (share: number) => void = () => undefined,
): Promise<Uint8Array> {
  const doc = new PDFDocument({
    ...{ size: 'A4', margin: 0, bufferPages: true, lang: document.language, displayTitle: true },
    // Prevents pdfkit from loading Helvetica.
    font: null as unknown as string,
    info: { Title: document.title, Author: document.author, Creator: document.product },
  })
  const whole = buffer(doc as unknown as AsyncIterable<Uint8Array>)
  const fonts = openFonts(doc)
  const flow = startFlow(doc, fonts, (number) => footOf(fonts, document, number))
  const words = { image: document.words.image, hasPicture: (address: string) => address in document.images }
  const page: Page = { flow, words, images: document.images }
  drawPieces(page, [{ text: document.title, style: { face: 'bold', size: 20, color: INK } }], 26, none)
  drawPieces(page, [{ text: document.byline, style: quiet }], 14, none)
  drawLacking(page, document)
  flow.gap(14)
  const total = document.chapters.reduce((sum, { entries }) => sum + entries.length, 0)
  let done = 0
  for (const { title, entries } of document.chapters) {
    const chapter = title === null ? doc.outline : drawChapter(page, title)
    for (const entry of entries) {
      drawEntry(page, entry, chapter)
      onDone(++done / total)
    }
  }
  flow.end()
  numberPages(doc, fonts)
  doc.end()
  return whole
}

/** Names the scripts that this machine has no font for, so that boxes are no surprise. */
function drawLacking(page: Page, document: ChatDocument): void {
  const { title, byline, chapters, notes, words, language } = document
  const lacking = page.flow.fonts.lacking(JSON.stringify([title, byline, chapters, notes]))
  if (lacking.length === 0) return
  const text = words.lacking.replace('{{scripts}}', nameScripts(lacking, language))
  page.flow.gap(6)
  drawPieces(page, [{ text, style: { ...quiet, face: 'bold', color: INK } }], 13, none)
}

function drawChapter(page: Page, title: string) {
  const { flow } = page
  flow.gap(16)
  flow.ensure(90)
  const place = flow.doc.outline.addItem(title)
  drawPieces(page, [{ text: title, style: { face: 'bold', size: 15, color: INK } }], 21, none)
  flow.gap(8)
  return place
}

function drawEntry(page: Page, entry: Entry, chapter: PDFKit.PDFOutline): void {
  const { flow } = page
  flow.gap(10)
  flow.ensure(50)
  if (entry.isPerson) chapter.addItem(beginningOf(entry, 80) || entry.author)
  const head = [
    { text: entry.author, style: { face: 'bold' as const, size: 10.5, color: INK } },
    { text: `   ${entry.time}`, style: quiet },
  ]
  drawPieces(page, head, 17, none)
  for (const part of entry.parts) {
    switch (part.kind) {
      case 'text':
        drawBlocks(page, part.blocks, none)
        break
      case 'steps':
        for (const text of part.lines) drawPieces(page, [{ text, style: quiet }], 13, none)
        flow.gap(5)
        break
      case 'picture':
        drawPicture(page, part.address, none)
        break
      case 'notice':
        drawPieces(page, [{ text: part.text, style: { ...quiet, face: 'italic' } }], 13, none)
        flow.gap(5)
        break
      default:
        part satisfies never
    }
  }
}

function footOf(fonts: Fonts, { notes, language }: ChatDocument, number: number): Foot | null {
  const found: Note | undefined = notes[number - 1]
  if (!found) return null
  const { lead, rest } = describeNote(found, language)
  const link = safeLink(found.url)
  const lines = breakLines(
    fonts,
    [
      { text: `${number}`, style: { ...note, size: 6, rise: 2.4 } },
      { text: '\u00a0\u00a0', style: note },
      { text: lead, style: link ? { ...note, link, color: LINK } : note },
      { text: rest, style: note },
    ],
    TEXT_WIDTH,
  )
  return { lines, height: noteHeight(lines) }
}

function numberPages(doc: PDFKit.PDFDocument, fonts: Fonts): void {
  const { start, count } = doc.bufferedPageRange()
  for (let at = start; at < start + count; at++) {
    doc.switchToPage(at)
    const text = `${at + 1} / ${count}`
    const [piece] = fonts.split(text, 'regular')
    if (!piece) continue
    // Measuring also sets the pen's font.
    const x = (PAGE.width - fonts.width(text, piece.font, 8)) / 2
    doc.font(piece.font).fontSize(8).fillColor(QUIET)
    doc.text(text, x, PAGE.height - 40, { ...drawnWith(text), lineBreak: false })
  }
}
