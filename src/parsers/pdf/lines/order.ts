import { around, type Edges } from '../page/run.ts'
import { isMostlyRightToLeft, type Segment } from './lines.ts'

/** Segments of one row of a column, in reading order. */
export type Line = Edges & {
  segments: Segment[]
  text: string
  size: number
  baseline: number
  isRightToLeft: boolean
}

type Gap = { from: number; to: number }
type Band = { segments: Segment[]; gaps: Gap[] }

/** Minimum gap between columns, in font sizes. */
const GUTTER = 0.9
const MAX_DEPTH = 6

/**
 * Returns lines in reading order, grouped by column. Consecutive bands with a common gutter are read column by column, in the direction
 * of the script. Columns contain flowing text; short texts side by side are read as rows.
 */
export function orderLines(
  segments: Segment[],
  isRightToLeft = isMostlyRightToLeft(segments),
  depth = 0,
): Line[][] {
  if (segments.length === 0) return []
  const whole = around(segments)
  const bands = toBands(segments).map((band) => ({ segments: band, gaps: freeOf(band, whole) }))
  const columns: Line[][] = []
  let rows: Line[] = []
  const closeRows = () => {
    if (rows.length > 0) columns.push(rows)
    rows = []
  }
  for (let at = 0; at < bands.length; ) {
    const group = depth < MAX_DEPTH ? columnsFrom(bands, at) : null
    if (group) {
      closeRows()
      const parts = isRightToLeft ? group.parts.toReversed() : group.parts
      for (const part of parts) columns.push(...orderLines(part, isRightToLeft, depth + 1))
      at += group.bands
    } else rows.push(...rowsOf((bands[at++] as Band).segments, isRightToLeft))
  }
  closeRows()
  return columns
}

/** Groups segments that overlap vertically into bands. */
function toBands(segments: Segment[]): Segment[][] {
  const bands: Segment[][] = []
  let bottom = Number.NEGATIVE_INFINITY
  for (const segment of [...segments].sort((a, b) => a.top - b.top)) {
    const overlap = 0.25 * (segment.bottom - segment.top)
    if (segment.top + overlap < bottom) bands.at(-1)?.push(segment)
    else bands.push([segment])
    bottom = Math.max(bottom, segment.bottom)
  }
  return bands
}

/** Returns the horizontal gaps of a band, including those at the edges of `whole`. */
function freeOf(segments: Segment[], whole: Edges): Gap[] {
  const gaps: Gap[] = []
  let right = whole.left
  for (const segment of [...segments].sort((a, b) => a.left - b.left)) {
    if (segment.left > right) gaps.push({ from: right, to: segment.left })
    right = Math.max(right, segment.right)
  }
  if (right < whole.right) gaps.push({ from: right, to: whole.right })
  return gaps
}

/** Splits the bands that share a gutter, beginning with `from`, into columns of flowing text; null if they have none. */
function columnsFrom(bands: Band[], from: number): { parts: Segment[][]; bands: number } | null {
  let gaps = (bands[from] as Band).gaps
  let to = from + 1
  const wide = GUTTER * medianSize((bands[from] as Band).segments)
  for (; to < bands.length; to++) {
    const shared = intersect(gaps, (bands[to] as Band).gaps).filter((gap) => gap.to - gap.from >= wide)
    if (shared.length === 0) break
    gaps = shared
  }
  const segments = bands.slice(from, to).flatMap((band) => band.segments)
  const parts = cut(
    segments,
    gaps.filter((gap) => gap.to - gap.from >= wide),
  )
  return parts.length > 1 && parts.every((part) => flows(part) || goesOnBelow(part))
    ? { parts, bands: to - from }
    : null
}

function intersect(a: Gap[], b: Gap[]): Gap[] {
  return a.flatMap((one) =>
    b
      .map((other) => ({ from: Math.max(one.from, other.from), to: Math.min(one.to, other.to) }))
      .filter((gap) => gap.from < gap.to),
  )
}

function cut(segments: Segment[], gaps: Gap[]): Segment[][] {
  const edges = gaps.map(({ from, to }) => (from + to) / 2).sort((a, b) => a - b)
  const parts: Segment[][] = Array.from({ length: edges.length + 1 }, () => [])
  for (const segment of segments) {
    const middle = (segment.left + segment.right) / 2
    parts[edges.filter((edge) => edge < middle).length]?.push(segment)
  }
  return parts.filter((part) => part.length > 0)
}

/** Returns whether text flows from line to line, unlike a column of labels or numbers. */
function flows(part: Segment[]): boolean {
  if (part.length < 3) return false
  const rows = toBands(part).map((band) =>
    band.reduce((sum, one) => sum + (one.table ? 40 : one.text.length), 0),
  )
  const lengths = rows.sort((a, b) => a - b)
  return rows.length > 2 && (lengths[Math.floor(lengths.length / 2)] ?? 0) >= 18
}

/** Returns whether the text consists of two lines and a sentence continues from the first to the second. */
function goesOnBelow(part: Segment[]): boolean {
  const [first, second, ...more] = toBands(part)
  if (!first || !second || more.length > 0 || first.length + second.length > 2) return false
  const [above, below] = [first[0]?.text ?? '', second[0]?.text ?? '']
  return above.length >= 18 && !/[.:;!?]$/.test(above) && /^\p{Ll}/u.test(below)
}

/** Returns the rows of a band, each in the direction of the script. */
function rowsOf(band: Segment[], isRightToLeft: boolean): Line[] {
  const rows: Segment[][] = []
  for (const segment of [...band].sort((a, b) => a.baseline - b.baseline)) {
    const row = rows.at(-1)
    if (row?.some((one) => isOneRow(one, segment))) row.push(segment)
    else rows.push([segment])
  }
  return rows.map((row) => toLine(row, isRightToLeft))
}

function isOneRow(a: Segment, b: Segment): boolean {
  const shared = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)
  return shared >= 0.5 * Math.min(a.bottom - a.top, b.bottom - b.top)
}

function toLine(row: Segment[], isRightToLeft: boolean): Line {
  const segments = [...row].sort((a, b) => (isRightToLeft ? b.left - a.left : a.left - b.left))
  const main = segments.reduce((most, one) => (one.text.length > most.text.length ? one : most))
  const text = segments.map((one) => one.text).join(' ')
  const { size, baseline } = main
  return { ...around(segments), segments, text, size, baseline, isRightToLeft: isMostlyRightToLeft(segments) }
}

function medianSize(segments: Segment[]): number {
  const sizes = segments.map(({ size }) => size).sort((a, b) => a - b)
  return sizes[Math.floor(sizes.length / 2)] ?? 10
}
