import { likenessOf } from '../../elements/language.ts'
import type { ReadPicture } from '../../ocr/ocr.ts'
import { wordsWithin } from './broken-letters.ts'
import { boxOf, type Run, type Size, type Turn } from './run.ts'

/** Minimum letters of a font on a page for a verdict. */
const MIN_LETTERS = 80
/** Maximum letters that are examined per font and page. */
const MAX_LETTERS = 2_000
/** Text with a lower likeness to all languages may have wrong letters. Names and tables reach 0.4, wrong letters 0.2. */
const MIN_LIKENESS = 0.3
/** The letters are right if OCR reads more than this share of the words. */
const MIN_AGREEMENT = 0.4
/** Maximum share of private-use characters in legible text. */
const MAX_PRIVATE = 0.2
/** UTF-8 decoded as Windows-1252. Two such pairs are not a coincidence. */
const TWICE_ENCODED = /[\u00c2\u00c3][\u0080-\u00bf\u0152-\u0178\u02c6\u02dc\u2013-\u203a\u20ac\u2122]/gu

/** OCR verdicts on the fonts of a file, by font name. `wrong` fonts are always reread, `right` ones never again. */
export type FontVerdicts = Map<string, 'right' | 'wrong' | 'doubtful'>

/**
 * Compares text that resembles no language with the result of OCR in its place, and uses that result if it resembles one.
 * Returns the number of lines reread, their original texts, and the number of lines that stay illegible.
 */
export async function rereadIllegible(
  groups: { turn: Turn; runs: Run[] }[],
  size: Size,
  { see, verdicts }: { see: () => Promise<ReadPicture>; verdicts: FontVerdicts },
): Promise<{ reread: number; doubtful: number; replaced: string[] }> {
  const result = { reread: 0, doubtful: 0, replaced: [] as string[] }
  const placed = groups.flatMap(({ turn, runs }) => runs.map((run) => ({ run, box: boxOf(run, turn, size) })))
  for (const [font, own] of Map.groupBy(placed, ({ run }) => run.font)) {
    const before = verdicts.get(font)
    const text = own.map(({ run }) => run.text).join(' ')
    if (before === 'right' || (before === undefined && isLegible(text))) continue
    if (before === 'doubtful') {
      result.doubtful += own.length
      continue
    }
    const { paragraphs } = await see()
    const seen = own.map(({ box }) => wordsWithin(paragraphs, box))
    const verdict = before ?? judge(text, seen.join(' '))
    verdicts.set(font, verdict)
    if (verdict === 'doubtful') result.doubtful += own.length
    if (verdict !== 'wrong') continue
    for (const [at, { run }] of own.entries()) {
      result.replaced.push(run.text)
      run.text = seen[at] || run.text
      result.reread += seen[at] ? 1 : 0
      result.doubtful += seen[at] ? 0 : 1
    }
  }
  return result
}

function isLegible(text: string): boolean {
  const letters = text.match(/[\p{L}\p{Co}]/gu)?.length ?? 0
  if (letters < MIN_LETTERS) return true
  if ((text.match(/\p{Co}/gu)?.length ?? 0) > MAX_PRIVATE * letters) return false
  if ((text.match(TWICE_ENCODED)?.length ?? 0) > 1) return false
  return likenessOf(text.slice(0, MAX_LETTERS)) >= MIN_LIKENESS
}

function judge(text: string, seen: string): 'right' | 'wrong' | 'doubtful' {
  const words = (one: string) => one.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? []
  const found = new Set(words(seen))
  const own = words(text)
  if (
    own.filter((word) => found.has(word)).length > MIN_AGREEMENT * own.length &&
    text.search(TWICE_ENCODED) < 0
  )
    return 'right'
  const likeness = likenessOf(seen.slice(0, MAX_LETTERS))
  return likeness >= MIN_LIKENESS ? 'wrong' : 'doubtful'
}
