/** Scripts that are written without spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

const segmenter = new Intl.Segmenter('und', { granularity: 'word' })

/** A text with spaces between its words, for an index that knows words by their spaces. */
export function segment(text: string): string {
  if (!UNSPACED.test(text)) return text
  return Array.from(segmenter.segment(text), ({ segment: word }) => word).join(' ')
}
