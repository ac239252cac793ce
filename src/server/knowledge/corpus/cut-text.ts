/** Preferred cut positions, best first: after a paragraph, a line, a sentence, a word. */
const SEAMS = [/\n\s*\n/g, /\n/g, /[.!?…]\s/g, /\s/g]

/** Splits a text into consecutive spans `[from, to]` of at most `most` characters that cover all of it. */
export function cutText(text: string, most: number): [number, number][] {
  const spans: [number, number][] = []
  for (let from = 0; from < text.length; ) {
    const to = text.length - from <= most ? text.length : from + seamOf(text.slice(from, from + most))
    spans.push([from, to])
    from = to
  }
  return spans
}

/** Returns the end of the last preferred seam in the second half of `piece`, otherwise its length, without splitting a surrogate pair. */
function seamOf(piece: string): number {
  for (const seam of SEAMS) {
    const last = [...piece.matchAll(seam)].at(-1)
    if (last && last.index > piece.length / 2) return last.index + last[0].length
  }
  return /[\ud800-\udbff]$/.test(piece) ? piece.length - 1 : piece.length
}
