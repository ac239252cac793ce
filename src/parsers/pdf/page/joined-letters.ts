import { OPS, type PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'

const WORD = /[\u0600-\u06ff]+/gu
/** May be a lam-alef whose letters were reversed together with the word. */
const DOUBTFUL = /[\u0622\u0623\u0625\u0627]\u0644/u
/** Letters of the page in which the next word is searched. */
const REACH = 4000

/**
 * Returns a function that restores the letter order of right-to-left text. Fonts map some glyphs to several letters, mostly lam-alef.
 * pdf.js reverses a line letter by letter, including the letters of such glyphs. Call the function with the texts in page order.
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

/** Returns the letters of a glyph in logical order. Alef and lam only form a ligature as lam, alef. */
function logical(sign: string): string {
  return /^[\u0622\u0623\u0625\u0627]\u0644$/u.test(sign) ? [...sign].reverse().join('') : sign
}

/** Returns the letters of each glyph of the page, in drawing order. */
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
