import { createRequire } from 'node:module'
import { scriptOf } from './scripts.ts'
import { type SystemFonts, systemFonts } from './system-fonts.ts'

/** Typeface of a piece of text. Size in points; `rise` lifts the baseline. */
export type Face = 'regular' | 'bold' | 'italic' | 'boldItalic' | 'mono'

/** The pdfkit methods used for drawing. */
export type Pen = Pick<PDFKit.PDFDocument, 'registerFont' | 'font' | 'fontSize' | 'widthOfString'>
export type Fonts = {
  /** Splits a text into runs that one font can render; missing glyphs become boxes. */
  split(text: string, face: Face): { text: string; font: string }[]
  /** Returns the scripts of characters that no font of this machine has, as codes of ISO 15924. */
  lacking(text: string): string[]
  /** Returns the width in points. */
  width(text: string, font: string, size: number): number
}

const require = createRequire(import.meta.url)
const inter = (name: string) => require.resolve(`@expo-google-fonts/inter/${name}.ttf`)
const dejaVu = (name: string) => require.resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`)

/** Font files: Inter first, with DejaVu for missing symbols, arrows, mathematics and scripts. Others are fonts of the machine. */
const files: Record<Face, () => string[]> = {
  regular: () => [inter('400Regular/Inter_400Regular'), dejaVu('DejaVuSans')],
  bold: () => [inter('600SemiBold/Inter_600SemiBold'), dejaVu('DejaVuSans-Bold')],
  italic: () => [inter('400Regular_Italic/Inter_400Regular_Italic'), dejaVu('DejaVuSans-Oblique')],
  boldItalic: () => [inter('600SemiBold_Italic/Inter_600SemiBold_Italic'), dejaVu('DejaVuSans-BoldOblique')],
  mono: () => [dejaVu('DejaVuSansMono'), dejaVu('DejaVuSans')],
}

const hasDigits = (text: string) => /\d/.test(text)

/** Returns whether two texts are drawn in the same way, so that they can be one run. */
export const isDrawnAlike = (one: string, other: string) => hasDigits(one) === hasDigits(other)

/**
 * Returns the options with which pdfkit measures and draws a text. fontkit moves digits and the marks between them too close
 * together, so numbers have no kerning.
 */
export const drawnWith = (text: string) =>
  // The types of pdfkit know features that are turned on, fontkit also those that are turned off.
  (hasDigits(text) ? { features: { kern: false } } : {}) as PDFKit.Mixins.TextOptions

const BOX = '\u25a1'
/** Characters that only modify the rendering of others. */
const invisible = /\p{Cf}|\p{Variation_Selector}|\p{Emoji_Modifier}/u
/** Joiners shape letters of scripts that have them. */
const joiner = /[\u200c\u200d]/
const FIRST_FLAG = 0x1f1e6
/** Half a flag as its letter, because fonts of outlines have no flags. */
const flagless = (text: string) =>
  text.replace(/[\u{1f1e6}-\u{1f1ff}]/gu, (half) =>
    String.fromCharCode(65 + half.codePointAt(0)! - FIRST_FLAG),
  )

/** Opens the fonts of a document lazily, with the first text that needs each. */
export function openFonts(pen: Pen, machine: SystemFonts = systemFonts()): Fonts {
  const fromMachine = new Map<unknown, string>()
  const opened = new Map<string, { hasGlyphForCodePoint(code: number): boolean }>()
  const widths = new Map<string, number>()
  const open = (name: string, file: string) => {
    const known = opened.get(name)
    if (known) return known
    pen.registerFont(name, file)
    // pdfkit stores the opened font but does not declare it in its types.
    const { font } = (
      pen.font(name) as unknown as { _font: { font: { hasGlyphForCodePoint(code: number): boolean } } }
    )._font
    opened.set(name, font)
    return font
  }
  const fontFor = (sign: string, face: Face): string | null => {
    const code = sign.codePointAt(0) ?? 0
    const at = files[face]().findIndex((file, place) =>
      open(`${face}-${place}`, file).hasGlyphForCodePoint(code),
    )
    return at < 0 ? fontOfMachine(code) : `${face}-${at}`
  }
  const fontOfMachine = (code: number): string | null => {
    const font = machine.find(code)
    if (!font) return null
    const name = fromMachine.get(font) ?? `machine-${fromMachine.size}`
    if (!fromMachine.has(font)) pen.registerFont(name, font as never)
    fromMachine.set(font, name)
    return name
  }
  const known = new Map<string, string | null>()
  const find = (sign: string, face: Face) => {
    const key = face + sign
    const found = known.get(key)
    if (found !== undefined) return found
    const font = fontFor(sign, face)
    known.set(key, font)
    return font
  }
  return {
    split: (text, face) => {
      const pieces: { text: string; font: string }[] = []
      for (const sign of flagless(text)) {
        const before = pieces.at(-1)
        if (joiner.test(sign) && before?.font.startsWith('machine-')) before.text += sign
        if (invisible.test(sign)) continue
        const font = find(sign, face)
        const [shown, used] = font === null ? [BOX, find(BOX, face) ?? `${face}-0`] : [sign, font]
        const last = pieces.at(-1)
        if (last?.font === used) last.text += shown
        else pieces.push({ text: shown, font: used })
      }
      return pieces
    },
    lacking: (text) => {
      const signs = [...new Set(flagless(text))].filter((sign) => !/\s/.test(sign) && !invisible.test(sign))
      const missing = signs.filter((sign) => find(sign, 'regular') === null)
      return [...new Set(missing.map(scriptOf))]
    },
    width: (text, font, size) => {
      const key = `${font} ${text}`
      let width = widths.get(key)
      if (width === undefined) {
        // Measured once, because widths scale with the size.
        pen.font(font).fontSize(1_000)
        width = pen.widthOfString(text, drawnWith(text))
        if (widths.size > WIDTHS_KEPT) widths.clear()
        widths.set(key, width)
      }
      return (width * size) / 1_000
    },
  }
}
const WIDTHS_KEPT = 50_000
