/** How many documents came in a month, written as `2026-11`. */
export type Month = { month: string; count: number }

/** So far apart stand the words of the rail at least, as a share of its height. */
const APART = 0.05

/** The place each month begins at in the list, and how many places there are. */
export function placesOf(months: readonly Month[]): { starts: number[]; total: number } {
  let total = 0
  const starts = months.map(({ count }) => {
    total += count
    return total - count
  })
  return { starts, total }
}

/** Which month a place stands in, as its position. */
export function monthAt(starts: readonly number[], place: number): number {
  return Math.max(
    0,
    starts.findLastIndex((start) => start <= place),
  )
}

/** The months that are written on the rail: the first of each year before others, and none upon another. */
export function marksOf(months: readonly Month[], starts: readonly number[], total: number) {
  const all = months.map(({ month }, at) => ({
    ...{ month, start: starts[at] ?? 0 },
    isYear: month.slice(0, 4) !== months[at - 1]?.month.slice(0, 4),
  }))
  const taken: number[] = []
  const hasRoom = ({ start }: { start: number }) => {
    const share = start / Math.max(1, total)
    if (taken.some((other) => Math.abs(other - share) < APART)) return false
    taken.push(share)
    return true
  }
  const shown = [...all.filter(({ isYear }) => isYear), ...all.filter(({ isYear }) => !isYear)].filter(
    hasRoom,
  )
  return shown.sort((a, b) => a.start - b.start)
}
