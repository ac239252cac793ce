import type { Inline } from './tree.ts'

/** A range of a finished text that the caller draws, in UTF-16 units of the stored text. */
export type Mark = { at: number; length: number }

export type Marking = {
  marks: readonly Mark[]
  /** The last piece of each mark found so far. */
  ends: Map<number, Extract<Inline, { type: 'mark' }>>
}

export const startMarking = (marks: readonly Mark[]): Marking => ({ marks, ends: new Map() })

/** Flags the last piece of each mark, after the whole text was converted. */
export function closeMarks({ ends }: Marking): void {
  for (const piece of ends.values()) piece.isEnd = true
}

/** Splits a leaf node at the boundaries of marks. `from` and `to` are its range in the text. */
export function markPiece(piece: Inline, from: number, to: number, { marks, ends }: Marking): Inline[] {
  const touching = marks.flatMap(({ at, length }, index) =>
    at < to && at + length > from ? [{ index, at, end: at + length }] : [],
  )
  if (touching.length === 0) return [piece]
  const mark = (index: number, child: Inline): Inline => {
    const node = { type: 'mark' as const, index, isEnd: false, children: [child] }
    ends.set(index, node)
    return node
  }
  const [first] = touching
  // Offsets within the node are unknown when it contains escapes.
  if (piece.type !== 'text' || piece.text.length !== to - from)
    return first ? [mark(first.index, piece)] : [piece]
  const pieces: Inline[] = []
  let done = from
  const { text } = piece
  for (const { index, at, end } of touching) {
    if (at > done) pieces.push({ type: 'text', text: text.slice(done - from, at - from) })
    const start = Math.max(done, at)
    const stop = Math.min(end, to)
    if (stop > start) pieces.push(mark(index, { type: 'text', text: text.slice(start - from, stop - from) }))
    done = Math.max(done, stop)
  }
  if (done < to) pieces.push({ type: 'text', text: text.slice(done - from) })
  return pieces
}
