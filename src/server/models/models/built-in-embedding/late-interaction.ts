/** The tokens of a text without those of start and end, each with a vector of length 1. */
export type Tokens = { ids: number[]; vectors: Float32Array }

/** For each token of a question: the similarity of the nearest token in a text, and whether the text contains the same token. */
export type Match = { nearest: Float32Array; isThere: Uint8Array }

/** Late interaction (Khattab and Zaharia, ColBERT, 2020): finds the nearest token of the text for each token of the question. */
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

/** Rates each text, at most 1: the weighted mean of its similarities. Tokens that few texts contain weigh more. */
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
