/** The checkpoints that are compared, A and B. */
export type Pair = readonly [string | null, string | null]

/** What is chosen after one more was pointed at: one that is chosen is let go, a third takes the place of B. */
export function choose([a, b]: Pair, id: string): Pair {
  if (id === a) return [b, null]
  if (id === b) return [a, null]
  return a === null ? [id, null] : [a, id]
}
