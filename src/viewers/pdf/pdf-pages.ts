import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist'
import type { TextContent } from 'pdfjs-dist/types/src/display/api.js'
import type { DocumentPart } from '#shared/knowledge/documents/documents.ts'
import { type FoldedText, foldText } from '../page/fold-text.ts'
import { piecesOf } from '../page/words.tsx'

/** In points, after rotation. */
export type PageSize = { width: number; height: number }

/** Pages read ahead when a document opens, and on each side of the current page. */
export const AHEAD = 5
const CONTENTS_KEPT = 40

/** The pages of an open PDF, each read on first use. */
export class PdfPages {
  readonly count: number
  private readonly pdf: PDFDocumentProxy
  private readonly readPart: (page: number) => Promise<DocumentPart | undefined>
  /** Page sizes; unread pages are assumed to have the size of the first. */
  private known: readonly PageSize[]
  private readonly contents = new Map<number, Promise<TextContent>>()
  private readonly texts = new Map<number, Promise<FoldedText>>()
  private readonly listeners = new Set<() => void>()

  constructor(
    pdf: PDFDocumentProxy,
    first: PageSize,
    readPart: (page: number) => Promise<DocumentPart | undefined>,
  ) {
    this.pdf = pdf
    this.count = pdf.numPages
    this.readPart = readPart
    this.known = Array.from({ length: pdf.numPages }, () => first)
  }

  /** Subscribes to changes of page sizes, for React. */
  subscribe = (listener: () => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  sizes = () => this.known

  async page(number: number): Promise<PDFPageProxy> {
    const page = await this.pdf.getPage(number)
    const { width, height } = page.getViewport({ scale: 1 })
    const before = this.known[number - 1]
    if (before?.width !== width || before.height !== height) {
      this.known = this.known.with(number - 1, { width, height })
      for (const listener of this.listeners) listener()
    }
    return page
  }

  /** Returns the text of a page with its positions. */
  content(number: number): Promise<TextContent> {
    const kept = this.contents.get(number)
    if (kept) return kept
    const content = this.page(number).then((page) => page.getTextContent())
    this.contents.set(number, content)
    const [oldest] = this.contents.keys()
    if (this.contents.size > CONTENTS_KEPT && oldest !== undefined) this.contents.delete(oldest)
    return content
  }

  /** Returns the searchable text of a page: its own text, or its OCR words. */
  text = (number: number): Promise<FoldedText> => {
    const kept = this.texts.get(number)
    if (kept) return kept
    const text = this.readText(number)
    this.texts.set(number, text)
    text.catch(() => this.texts.delete(number))
    return text
  }

  /** Reads the first pages and those around the current one. */
  async readAhead(current: number): Promise<void> {
    for (const number of pagesAhead(current, this.count)) await this.content(number).catch(() => undefined)
  }

  private async readText(number: number): Promise<FoldedText> {
    const content = await this.content(number)
    if (hasText(content)) return foldText(runsOf(content))
    const part = await this.readPart(number)
    return foldText(piecesOf(part?.words ?? []))
  }
}

/** Returns the pages around the current one, nearest first, then the first pages of the document. */
export function pagesAhead(current: number, count: number): number[] {
  const around = Array.from({ length: 2 * AHEAD + 1 }, (_, at) => current - AHEAD + at)
  const nearest = around.sort((a, b) => Math.abs(a - current) - Math.abs(b - current) || b - a)
  const first = Array.from({ length: AHEAD }, (_, at) => at + 1)
  return [...new Set([...nearest, ...first])].filter((number) => number >= 1 && number <= count)
}

/** Returns true when a page has text of its own; otherwise its text comes from OCR. */
export function hasText(content: TextContent): boolean {
  return content.items.some((item) => 'str' in item && /[\p{L}\p{N}]/u.test(item.str))
}

function runsOf({ items }: TextContent) {
  return items.flatMap((item) => ('str' in item ? [{ text: item.str, endsLine: item.hasEOL }] : []))
}
