import type { LineChange } from './checkpoints.ts'

/** Characters compared of each text; longer texts are cut. */
const MAX_CHARACTERS = 200_000
const MAX_LINES = 5_000

/** Maximum size of the comparison table; above it, the changed middle counts as removed and added. */
const MAX_CELLS = 4_000_000

/** Returns the part of a text that is compared. */
export function beginningOf(text: string): string {
  return text.slice(0, MAX_CHARACTERS).split('\n', MAX_LINES).join('\n')
}

/** Returns the lines of two texts as one list: common lines once, others marked as added or removed. */
export function diffLines(before: string, after: string): LineChange[] {
  const [a, b] = [splitLines(before), splitLines(after)]
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1
  let end = 0
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end += 1
  return [
    ...mark('same', a.slice(0, start)),
    ...diffMiddle(a.slice(start, a.length - end), b.slice(start, b.length - end)),
    ...mark('same', a.slice(a.length - end)),
  ]
}

function splitLines(text: string): string[] {
  return text === '' ? [] : text.split('\n')
}

const mark = (kind: LineChange['kind'], lines: string[]): LineChange[] =>
  lines.map((text) => ({ kind, text }))

/** Computes the longest common subsequence with a table of lengths, filled from the end. */
function diffMiddle(a: string[], b: string[]): LineChange[] {
  if (a.length * b.length > MAX_CELLS) return [...mark('removed', a), ...mark('added', b)]
  const [left = [], right = []] = numberLines(a, b)
  const width = b.length + 1
  const lengths = new Uint32Array((a.length + 1) * width)
  const at = (i: number, j: number) => lengths[i * width + j] ?? 0
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      lengths[i * width + j] =
        left[i] === right[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  }
  const changes: LineChange[] = []
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && left[i] === right[j]) {
      changes.push(...mark('same', a.slice(i, i + 1)))
      i += 1
      j += 1
    } else if (i < a.length && (j === b.length || at(i + 1, j) >= at(i, j + 1))) {
      changes.push(...mark('removed', a.slice(i, i + 1)))
      i += 1
    } else {
      changes.push(...mark('added', b.slice(j, j + 1)))
      j += 1
    }
  }
  return changes
}

/** Gives equal lines equal numbers, so that long lines are compared only once. */
function numberLines(...texts: string[][]): number[][] {
  const numbers = new Map<string, number>()
  return texts.map((lines) =>
    lines.map((line) => {
      const number = numbers.get(line) ?? numbers.size
      numbers.set(line, number)
      return number
    }),
  )
}
