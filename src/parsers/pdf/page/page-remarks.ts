import type { LetterCount, Warning } from '../../elements/port.ts'
import { DOUBTFUL } from '../../ocr/ocr.ts'
import type { LetterCheck } from './drawn-letters.ts'

/** Findings about one page. */
export type PageFindings = {
  number: number
  isRead: boolean
  /** Confidence of OCR; null if the page has its own text. */
  confidence: number | null
  /** Lines replaced by OCR, lines with unknown letters, and lines that resemble no language. */
  letters: { reread: number; unread: number; doubtful: number }
  /** Drawn letters, and those missing from the text; null if they were not compared. */
  check: LetterCheck | null
  /** Number of hidden passages. */
  hidden: number
  /** Pictures that look like text: those without OCR, those that OCR read, and those with low confidence. */
  pictures: { seen: number; read: number; unsure: number }
}

/** Maximum page numbers in a warning. */
const MAX_NAMED = 10

/** Sums up the findings of all pages of a file. */
export class PageRemarks {
  private readonly sums = {
    scanned: 0,
    doubtful: 0,
    reread: 0,
    illegible: 0,
    doubtfulLines: 0,
    hidden: 0,
    unread: 0,
    seen: 0,
    read: 0,
    unsure: 0,
  }
  private readonly all: LetterCount = { drawn: 0, missing: 0 }
  private readonly short: number[] = []
  private isCompared = false

  add({ number, isRead, confidence, letters, check, hidden, pictures }: PageFindings): void {
    const { sums } = this
    sums.reread += letters.reread
    sums.illegible += letters.unread
    sums.doubtfulLines += letters.doubtful
    sums.hidden += hidden
    sums.seen += pictures.seen
    sums.read += pictures.read
    sums.unsure += pictures.unsure
    if (!isRead) sums.unread += 1
    else if (confidence !== null) sums.scanned += 1
    if (confidence !== null && confidence < DOUBTFUL) sums.doubtful += 1
    if (!check) return
    this.isCompared = true
    this.all.drawn += check.drawn
    this.all.missing += check.missing
    if (check.missing > 0) this.short.push(number)
  }

  /** Returns the letters of all compared pages; null if none was compared. */
  count(): LetterCount | null {
    return this.isCompared ? this.all : null
  }

  warnings(): Warning[] {
    const { scanned, doubtful, reread, illegible, doubtfulLines, hidden, unread, seen, read, unsure } =
      this.sums
    const { missing } = this.all
    const named = this.short.slice(0, MAX_NAMED).join(', ') + (this.short.length > MAX_NAMED ? ' …' : '')
    const found: [number, Warning][] = [
      [scanned, { code: 'pages_by_ocr', values: { pages: scanned } }],
      [doubtful, { code: 'low_confidence', values: { pages: doubtful } }],
      [reread, { code: 'lines_by_ocr', values: { count: reread } }],
      [illegible, { code: 'letters_unknown', values: { count: illegible } }],
      [doubtfulLines, { code: 'letters_doubtful', values: { count: doubtfulLines } }],
      [missing, { code: 'letters_missing', values: { count: missing, where: named } }],
      [hidden, { code: 'hidden_text', values: { count: hidden } }],
      [seen, { code: 'pictures_with_text', values: { count: seen } }],
      [unsure, { code: 'images_without_text', values: { count: unsure } }],
      [read, { code: 'pictures_by_ocr', values: { count: read } }],
      [unread, { code: 'pages_without_text', values: { pages: unread } }],
      [this.isCompared ? 0 : 1, { code: 'not_compared' }],
    ]
    return found.flatMap(([count, warning]) => (count > 0 ? [warning] : []))
  }
}
