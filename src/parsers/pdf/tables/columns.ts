import { around, type Edges } from '../page/run.ts'
import { type Column, overlap, type Row } from './rows.ts'

/** A vertical strip counts as free if at most this share of the rows crosses it. */
const MAX_CROSSING = 0.07
/** Signs that belong to the number after them. */
export const BEFORE_NUMBER = /^(?:[$€£¥]|US\$|CHF|EUR|USD|GBP|\()$/
/** Signs that belong to the number before them. */
export const BEHIND_NUMBER = /^(?:%|\)|\)%|pp|bps)$/

/** Rows with less than this share of the usual number of pieces may have cells that span columns. */
const SPARSE = 0.6

/** Minimum number of rows with a number at an edge that ends a column. */
const MIN_ROWS = 3
const MIN_SHARE = 0.25
/** Maximum distance of aligned edges, in points. */
const SAME_EDGE = 1.5

/** Returns the columns of rows. Rows with few pieces, such as a head with spanning cells, never merge columns of other rows. */
export function columnsOf(rows: Row[]): Column[] {
  const counts = rows.map(({ pieces }) => pieces.length).sort((a, b) => a - b)
  const usual = counts[Math.floor(counts.length * 0.75)] ?? 0
  const full = rows.filter(({ pieces }) => pieces.length >= SPARSE * usual)
  const columns = stripsOf(full.length >= 3 ? full : rows)
  const isFree = (piece: Edges) => columns.every((column) => overlap(piece, column) <= 0)
  const others = rows.flatMap(({ line, pieces }) => {
    const free = pieces.filter(isFree)
    return free.length > 0 ? [{ line, pieces: free }] : []
  })
  const all = [...columns, ...stripsOf(others)].sort((a, b) => a.from - b.from)
  return joinSigns(all, rows)
}

/** Returns the strips that contain text, separated by strips that nearly all rows leave free. */
function stripsOf(rows: Row[]): Column[] {
  if (rows.length === 0) return []
  const { left, right } = around(rows.flatMap(({ pieces }) => pieces))
  const width = Math.ceil(right - left) + 1
  if (width > 5000) return []
  const crossing = new Uint16Array(width)
  for (const { pieces } of rows)
    for (const piece of pieces)
      for (let x = Math.floor(piece.left - left + 0.5); x <= piece.right - left - 0.5; x++)
        crossing[x] = (crossing[x] ?? 0) + 1
  const allowed = Math.floor(MAX_CROSSING * rows.length)
  const minimum = 0.35 * medianSize(rows)
  const edges = edgesOf(rows)
  const columns: Column[] = []
  let freeFrom = 0
  for (let x = 0; x < width; x++) {
    if ((crossing[x] ?? 0) <= allowed) continue
    const last = columns.at(-1)
    // A column of numbers ends at its edge, however narrow the gap behind it is.
    const isEdge = edges.some((edge) => Math.abs(edge - left - freeFrom) < SAME_EDGE)
    if (last && x - freeFrom < (isEdge ? 1 : minimum)) last.to = left + x + 1
    else columns.push({ from: left + x, to: left + x + 1 })
    freeFrom = x + 1
  }
  return columns.filter((column) => piecesIn(rows, column).length > 0)
}

/** Merges columns of signs with the columns of their numbers. */
function joinSigns(columns: Column[], rows: Row[]): Column[] {
  const result: Column[] = []
  let isOpen = false
  for (const column of columns) {
    const last = result.at(-1)
    const texts = piecesIn(rows, column).map(({ text }) => text.trim())
    const holds = (sign: RegExp) => texts.filter((text) => sign.test(text)).length > 0.6 * texts.length
    if (last && (isOpen || holds(BEHIND_NUMBER))) last.to = column.to
    else result.push({ ...column })
    isOpen = holds(BEFORE_NUMBER)
  }
  return result
}

const piecesIn = (rows: Row[], column: Column) =>
  rows.flatMap(({ pieces }) => pieces.filter((piece) => overlap(piece, column) > 0))

export function nearest(piece: Edges, columns: Column[]): number {
  const middle = (piece.left + piece.right) / 2
  const distance = ({ from, to }: Column) => Math.abs(middle - (from + to) / 2)
  return columns.reduce(
    (best, column, at) => (distance(column) < distance(columns[best] as Column) ? at : best),
    0,
  )
}

function medianSize(rows: Row[]): number {
  const sizes = rows.map(({ line }) => line.size).sort((a, b) => a - b)
  return sizes[Math.floor(sizes.length / 2)] ?? 10
}

/** Returns the right edges of columns of numbers, in order. */
export function edgesOf(rows: Row[]): number[] {
  const rights = rows.flatMap((row, at) =>
    row.pieces.flatMap((piece) => (isAmount(piece.text) ? [{ right: piece.right, at }] : [])),
  )
  const groups: { right: number; rows: Set<number> }[] = []
  for (const { right, at } of rights.sort((a, b) => a.right - b.right)) {
    const last = groups.at(-1)
    if (last && right - last.right < SAME_EDGE) last.rows.add(at)
    else groups.push({ right, rows: new Set([at]) })
  }
  return groups
    .filter((group) => group.rows.size >= Math.max(MIN_ROWS, MIN_SHARE * rows.length))
    .map(({ right }) => right)
}

/** A number with its signs, or a sign for none. Groups of three digits are parts of one number. */
const AMOUNT = /^(?:[$€£¥]\s?)?\(?[-–−+]?\d{1,3}(?:[\s.,'’]?\d{3})*(?:[.,]\d+)?\)?\s?%?$/u
export const isAmount = (text: string) =>
  AMOUNT.test(text.trim()) || /^(?:\.\.|[-–—]|n\.a\.)$/.test(text.trim())
