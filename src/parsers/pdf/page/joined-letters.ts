import { OPS, type PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'

const WORD = /[\u0600-\u06ff]+/gu
/** In a word, this may be a lam-alef whose letters were reversed with the rest of it. */
const DOUBTFUL = /[\u0622\u0623\u0625\u0627]\u0644/u
/** The distance in letters within which the next word is searched among the glyphs of the page. */
const REACH = 4000

/**
 * Fonts map one glyph to several letters, mostly lam-alef. The library reverses a line letter by letter, including the
 * letters of such a glyph. This detects the affected words of a page and restores the order of their letters. Pass it the
 * texts in their order.
 */
export async function openJoinedLetters(
  page: PDFPageProxy,
  texts: string[],
): Promise<(text: string) => string> {
  if (!texts.some((text) => DOUBTFUL.test(text))) return (text) => text
  const signs = await signsOf(page)
  if (!signs.some((sign) => sign.length > 1)) return (text) => text
  const starts = new Map<number, string>()
  let stream = ''
  for (const sign of signs) {
    if (sign.length > 1) starts.set(stream.length, sign)
    stream += sign
  }
  let from = 0
  const inOrder = (word: string): string => {
    const shown = [...word].reverse().join('')
    const at = stream.slice(from, from + REACH).indexOf(shown)
    if (at < 0) return word
    const begin = from + at
    from = begin + shown.length
    let text = ''
    for (let place = begin; place < from; ) {
      const sign = starts.get(place) ?? (stream[place] as string)
      text = logical(sign) + text
      place += sign.length
    }
    return text
  }
  return (text) => {
    // The page shows the last word of a line first.
    const words = [...text.matchAll(WORD)].filter(([word]) => DOUBTFUL.test(word)).reverse()
    return words.reduce(
      (whole, { 0: word, index }) => whole.slice(0, index) + inOrder(word) + whole.slice(index + word.length),
      text,
    )
  }
}

/** The letters of a glyph in order: alef and lam only join as lam, alef. */
function logical(sign: string): string {
  return /^[\u0622\u0623\u0625\u0627]\u0644$/u.test(sign) ? [...sign].reverse().join('') : sign
}

/** The glyphs of the page in order, each as the letters its font maps it to. */
async function signsOf(page: PDFPageProxy): Promise<string[]> {
  const { fnArray, argsArray } = await page.getOperatorList()
  return fnArray.flatMap((instruction, at) =>
    instruction === OPS.showText ? (argsArray[at] as [Shown[]])[0].flatMap(lettersOf) : [],
  )
}

type Shown = number | { unicode?: string } | null

function lettersOf(shown: Shown): string | [] {
  if (shown === null || typeof shown === 'number') return []
  return shown.unicode ?? []
}
