/** A text as the model reads it: its tokens without those of start and end, and a vector of length 1 for each. */
export type Tokens = { ids: number[]; vectors: Float32Array }

/** What a text has for each token of a question: how near its nearest token is, and whether the very same one is there. */
export type Match = { nearest: Float32Array; isThere: Uint8Array }

/** Late interaction (Khattab and Zaharia, ColBERT, 2020): each token of the question finds its nearest in the text. */
export function matchTokens(question: Tokens, text: Tokens): Match {
  const dimensions = question.vectors.length / question.ids.length
  const there = new Set(text.ids)
  return {
    nearest: Float32Array.from(question.ids, (_, asked) => {
      let best = text.ids.length === 0 ? 0 : -1
      for (let token = 0; token < text.ids.length; token++) {
        const likeness = dot(
          question.vectors,
          asked * dimensions,
          text.vectors,
          token * dimensions,
          dimensions,
        )
        if (likeness > best) best = likeness
      }
      return best
    }),
    isThere: Uint8Array.from(question.ids, (id) => Number(there.has(id))),
  }
}

/** One number for each text, 1 at most: what it has for the question's tokens, of which those that few of the texts hold weigh more. */
export function rateMatches(matches: readonly Match[]): number[] {
  const [first] = matches
  if (!first) return []
  const weights = Array.from(first.isThere, (_, token) => {
    const count = matches.filter(({ isThere }) => isThere[token] === 1).length
    return Math.log(1 + (matches.length - count + 0.5) / (count + 0.5))
  })
  const whole = weights.reduce((sum, weight) => sum + weight, 0) || 1
  return matches.map(
    ({ nearest }) => weights.reduce((sum, weight, token) => sum + weight * (nearest[token] ?? 0), 0) / whole,
  )
}

function dot(a: Float32Array, fromA: number, b: Float32Array, fromB: number, length: number): number {
  let sum = 0
  for (let at = 0; at < length; at++) sum += (a[fromA + at] as number) * (b[fromB + at] as number)
  return sum
}
