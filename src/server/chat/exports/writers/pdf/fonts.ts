import { createRequire } from 'node:module'

/** How a piece of text is set. Size in points; `rise` lifts it. */
export type Face = 'regular' | 'bold' | 'italic' | 'boldItalic' | 'mono'

/** What is asked of pdfkit to draw with. */
export type Pen = Pick<PDFKit.PDFDocument, 'registerFont' | 'font' | 'fontSize' | 'widthOfString'>
export type Fonts = {
  /** A text as stretches that one font can set each; what no font has is a box. */
  split(text: string, face: Face): { text: string; font: string }[]
  /** Points. */
  width(text: string, font: string, size: number): number
}

const require = createRequire(import.meta.url)
const inter = (name: string) => require.resolve(`@expo-google-fonts/inter/${name}.ttf`)
const dejaVu = (name: string) => require.resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`)

/** Inter first; what it has no sign for is taken from DejaVu, which has signs, arrows, mathematics and many scripts. */
const files: Record<Face, () => string[]> = {
  regular: () => [inter('400Regular/Inter_400Regular'), dejaVu('DejaVuSans')],
  bold: () => [inter('600SemiBold/Inter_600SemiBold'), dejaVu('DejaVuSans-Bold')],
  italic: () => [inter('400Regular_Italic/Inter_400Regular_Italic'), dejaVu('DejaVuSans-Oblique')],
  boldItalic: () => [inter('600SemiBold_Italic/Inter_600SemiBold_Italic'), dejaVu('DejaVuSans-BoldOblique')],
  mono: () => [dejaVu('DejaVuSansMono'), dejaVu('DejaVuSans')],
}

const BOX = '\u25a1'
/** Signs that only say how others are drawn. */
const invisible = /\p{Cf}|\p{Variation_Selector}/u

/** The fonts of a document; each is opened with the first text that needs it. */
export function openFonts(pen: Pen): Fonts {
  const opened = new Map<string, { hasGlyphForCodePoint(code: number): boolean }>()
  const widths = new Map<string, number>()
  const open = (name: string, file: string) => {
    const known = opened.get(name)
    if (known) return known
    pen.registerFont(name, file)
    // The library keeps the font it has opened, and does not name it in its types.
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
    return at < 0 ? null : `${face}-${at}`
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
      for (const sign of text) {
        if (invisible.test(sign)) continue
        const font = find(sign, face)
        const [shown, used] = font === null ? [BOX, find(BOX, face) ?? `${face}-0`] : [sign, font]
        const last = pieces.at(-1)
        if (last?.font === used) last.text += shown
        else pieces.push({ text: shown, font: used })
      }
      return pieces
    },
    width: (text, font, size) => {
      const key = `${font} ${text}`
      let width = widths.get(key)
      if (width === undefined) {
        // At one size: widths grow with it.
        pen.font(font).fontSize(1_000)
        width = pen.widthOfString(text)
        if (widths.size > WIDTHS_KEPT) widths.clear()
        widths.set(key, width)
      }
      return (width * size) / 1_000
    },
  }
}
const WIDTHS_KEPT = 50_000
