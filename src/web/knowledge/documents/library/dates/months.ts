/** Number of documents added in a month, written as `2026-11`. */
export type Month = { month: string; count: number }

/** Minimum distance of labels on the rail, as a share of its height. */
const APART = 0.05

/** Returns the index at which each month starts, and the total. */
export function placesOf(months: readonly Month[]): { starts: number[]; total: number } {
  let total = 0
  const starts = months.map(({ count }) => {
    total += count
    return total - count
  })
  return { starts, total }
}

/** Returns the index of the month of a position. */
export function monthAt(starts: readonly number[], place: number): number {
  return Math.max(
    0,
    starts.findLastIndex((start) => start <= place),
  )
}

/** Returns the labelled months: the first of each year has priority, and none overlap. */
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
