import { type Direction, directionOf } from '#shared/platform/markdown/direction.ts'
import { type Face, type Fonts, isDrawnAlike } from './fonts.ts'
import { visualOrder } from './visual-order.ts'

export type Style = {
  face: Face
  size: number
  color: string
  /** Baseline offset in points. */
  rise?: number
  link?: string | null
  strike?: boolean
  /** Draws a subtle background. */
  ground?: boolean
}
/** A piece of a line: words in one style, a break, or a footnote reference. */
export type Piece = { text: string; style: Style; note?: number } | 'break'
/** A run of text drawn at one position. */
export type Drawn = { text: string; font: string; style: Style; width: number; x: number }
/** `isRtl` for a line of right-to-left text, which starts at the right. */
export type Line = { drawn: Drawn[]; width: number; notes: number[]; isRtl: boolean }

type Bit = {
  text: string
  font: string
  style: Style
  width: number
  isSpace: boolean
  note: number | undefined
}

/** Breaks pieces into lines of at most `most` points. Words longer than a line are cut. */
export function breakLines(fonts: Fonts, pieces: Piece[], most: number): Line[] {
  const lines: Line[] = []
  const base = directionOf(pieces.map((piece) => (piece === 'break' ? ' ' : piece.text)).join(''))
  let bits: Bit[] = []
  let filled = 0
  const end = () => {
    lines.push(lineOf(bits, base))
    bits = []
    filled = 0
  }
  const put = (bit: Bit) => {
    bits.push(bit)
    filled += bit.width
  }
  for (const word of wordsOf(fonts, pieces)) {
    if (word === 'break') {
      end()
      continue
    }
    const width = word.reduce((sum, bit) => sum + bit.width, 0)
    const isSpace = word[0]?.isSpace === true
    if (filled + width > most && bits.length > 0) {
      end()
      if (isSpace) continue
    }
    if (width <= most) word.forEach(put)
    else
      for (const bit of word.flatMap((one) => cut(fonts, one, most))) {
        if (filled + bit.width > most && bits.length > 0) end()
        put(bit)
      }
  }
  if (bits.length > 0 || lines.length === 0) end()
  return lines
}

/** Returns the width of the pieces in one line, and of their longest word. */
export function measurePieces(fonts: Fonts, pieces: Piece[]): { natural: number; least: number } {
  let [natural, least, line] = [0, 0, 0]
  for (const word of wordsOf(fonts, pieces)) {
    if (word === 'break') {
      line = 0
      continue
    }
    const width = word.reduce((sum, bit) => sum + bit.width, 0)
    line += width
    natural = Math.max(natural, line)
    if (!word[0]?.isSpace) least = Math.max(least, width)
  }
  return { natural, least }
}

/** Yields words as drawable bits. A note number belongs to the word before it. */
function* wordsOf(fonts: Fonts, pieces: Piece[]): Generator<Bit[] | 'break'> {
  let word: Bit[] = []
  for (const piece of pieces) {
    if (piece === 'break') {
      if (word.length > 0) yield word
      word = []
      yield 'break'
      continue
    }
    const { style, note } = piece
    for (const { part, breaks } of partsOf(piece.text)) {
      const isSpace = part[0] === ' '
      if ((isSpace || breaks) && word.length > 0) {
        yield word
        word = []
      }
      for (const { text, font } of fonts.split(part, style.face))
        word.push({ text, font, style, width: fonts.width(text, font, style.size), isSpace, note })
      if (isSpace) {
        yield word
        word = []
      }
    }
  }
  if (word.length > 0) yield word
}

const spaceless = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u
/** Never starts a line. */
const closing = /^[\p{Pe}\p{Pf}\p{M}\p{Po}\u30fc々]/u
const opening = /[\p{Ps}\p{Pi}]$/u
let segmenter: Intl.Segmenter | undefined

/** Splits a text where lines may break: at spaces, and between the words of scripts without spaces (`breaks`). */
function* partsOf(text: string): Generator<{ part: string; breaks: boolean }> {
  for (const part of text.split(/( +)/)) {
    if (part === '') continue
    if (!spaceless.test(part)) {
      yield { part, breaks: false }
      continue
    }
    segmenter ??= new Intl.Segmenter(undefined, { granularity: 'word' })
    let before = ''
    for (const { segment } of segmenter.segment(part)) {
      const isApart = before !== '' && !closing.test(segment) && !opening.test(before)
      yield { part: segment, breaks: isApart && (spaceless.test(segment) || spaceless.test(before)) }
      before = segment
    }
  }
}

/** Cuts a bit into pieces that each fit a line. */
function cut(fonts: Fonts, bit: Bit, most: number): Bit[] {
  if (bit.width <= most) return [bit]
  const bits: Bit[] = []
  let [text, width] = ['', 0]
  const end = () => bits.push({ ...bit, text, width })
  for (const sign of bit.text) {
    const one = fonts.width(sign, bit.font, bit.style.size)
    if (width + one > most && text !== '') {
      end()
      ;[text, width] = ['', 0]
    }
    text += sign
    width += one
  }
  if (text !== '') end()
  return bits
}

/** Places the bits of a line next to each other. The space at its end has no width. */
function lineOf(bits: Bit[], base: Direction | null): Line {
  const kept = bits.length > 1 && bits.at(-1)!.isSpace ? bits.slice(0, -1) : bits
  const line: Line = { drawn: [], width: 0, notes: [], isRtl: base === 'rtl' }
  for (const { note, isSpace, ...bit } of visualOrder(kept, base)) {
    const last = line.drawn.at(-1)
    // Adjacent words in one style are drawn together; a font turns around right-to-left words.
    const isJoined = directionOf(bit.text) !== 'rtl' && last && directionOf(last.text) !== 'rtl'
    const isAlike = last && (isSpace || isDrawnAlike(last.text, bit.text))
    if (isJoined && isAlike && last.style === bit.style && last.font === bit.font) {
      last.text += bit.text
      last.width += bit.width
    } else line.drawn.push({ ...bit, x: line.width })
    line.width += bit.width
    if (note !== undefined) line.notes.push(note)
  }
  return line
}
