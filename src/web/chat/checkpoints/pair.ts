/** The compared checkpoints, A and B. */
export type Pair = readonly [string | null, string | null]

/** Returns the selection after a click: a selected one is deselected, a third replaces B. */
export function choose([a, b]: Pair, id: string): Pair {
  if (id === a) return [b, null]
  if (id === b) return [a, null]
  return a === null ? [id, null] : [a, id]
}
