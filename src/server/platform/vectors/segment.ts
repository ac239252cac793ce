/** Scripts written without spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

const segmenter = new Intl.Segmenter('und', { granularity: 'word' })

/** Inserts spaces between words, for an index that splits words at spaces. */
export function segment(text: string): string {
  if (!UNSPACED.test(text)) return text
  return Array.from(segmenter.segment(text), ({ segment: word }) => word).join(' ')
}
