import type { Rule } from '../page/read-graphics.ts'
import { around } from '../page/run.ts'
import { type Column, isNumber, overlap, type Row } from './rows.ts'

/** Minimum gutter between tables side by side, in font sizes. */
const GUTTER = 1.2
/** Minimum ratio of the gutter to the gaps between columns. */
const WIDER = 1.2

/**
 * Splits the rows of two tables side by side, each with its own labels. Captions, rules, or rows on one side only indicate two tables.
 * Returns null for a single table.
 */
export function partSideBySide(
  region: Row[],
  columns: Column[],
  { rules, hasCaptions }: { rules: Rule[]; hasCaptions: boolean },
): [Row[], Row[]] | null {
  const size = region[0]?.line.size ?? 10
  const gaps = columns.slice(1).map(({ from }, at) => from - (columns[at] as Column).to)
  for (let at = 2; at <= columns.length - 2; at++) {
    const gap = gaps[at - 1] as number
    const others = gaps.filter((_, one) => one !== at - 1)
    const isWide = gap >= GUTTER * size && gap >= WIDER * (Math.max(...others, 0) || 1)
    const [before, after] = [columns[at - 1] as Column, columns[at] as Column]
    const isRuled = arePartedByLines(rules, region, { from: before.to, to: after.from })
    if (!isWide && !isRuled && !hasCaptions) continue
    if (!isLabels(region, columns[0] as Column) || !isLabels(region, after)) continue
    if (isLabels(region, before)) continue
    const x = (before.to + after.from) / 2
    const [left, right] = [sideOf(region, x, true), sideOf(region, x, false)]
    if (hasCaptions || isRuled || areUneven(region, x)) return [left, right]
  }
  return null
}

/** Returns whether most texts of a column are words. */
function isLabels(rows: Row[], column: Column): boolean {
  const pieces = rows.flatMap((row) => row.pieces.filter((piece) => overlap(piece, column) > 0))
  return pieces.filter(({ text }) => isNumber(text) || !/\p{L}{2}/u.test(text)).length < 0.3 * pieces.length
}

/** Returns whether there are rules on both sides of the gap and none crosses it. */
function arePartedByLines(rules: Rule[], region: Row[], { from, to }: Column): boolean {
  const { left, right, top, bottom } = around(region.map(({ line }) => line))
  const own = rules.filter(
    (rule) =>
      rule.isHorizontal && rule.at > top - 20 && rule.at < bottom + 20 && rule.to > left && rule.from < right,
  )
  const middle = (from + to) / 2
  if (own.some((rule) => rule.from < middle && rule.to > middle)) return false
  return (
    own.filter((rule) => rule.to < middle).length > 1 && own.filter((rule) => rule.from > middle).length > 1
  )
}

/** Returns whether many rows are on one side only: heights differ, or one side ends earlier. */
function areUneven(region: Row[], x: number): boolean {
  const sides = region.map(({ pieces }) => ({
    left: pieces.filter((piece) => piece.right < x).length,
    right: pieces.filter((piece) => piece.left > x).length,
  }))
  const alone = sides.filter(
    ({ left, right }) => (left === 0 && right > 1) || (right === 0 && left > 1),
  ).length
  return alone >= 2 && alone >= 0.2 * region.length
}

function sideOf(region: Row[], x: number, isLeft: boolean): Row[] {
  return region.flatMap(({ line, pieces }) => {
    const own = pieces.filter((piece) => (piece.left + piece.right) / 2 < x === isLeft)
    if (own.length === 0) return []
    const runs = new Set(own.flatMap((piece) => piece.runs))
    const segments = line.segments.filter((segment) => segment.runs.some((run) => runs.has(run)))
    return [{ line: { ...line, ...around(own), segments }, pieces: own }]
  })
}
