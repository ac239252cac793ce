import { around, type Run } from '../page/run.ts'
import { BEFORE_NUMBER, columnsOf, edgesOf, isAmount } from './columns.ts'
import { textOf } from './grid-table.ts'
import { isNumber, overlap, type Piece, type Row } from './rows.ts'
import { wordsOf } from './tight-columns.ts'

/** Positions of words within a run are estimates; this is their error in font sizes. */
const ESTIMATE = 0.6
/** A head with less than this share of the columns has cells that span several of them. */
const FULL_HEAD = 0.6

/**
 * Splits texts that run over the right edge of a column of numbers: neighbouring cells that are only a space apart. A column shows by
 * the numbers that end at the same position in other rows.
 */
export function partTightNumbers(rows: Row[]): Row[] {
  const edges = edgesOf(rows)
  const cut = (row: Row) => {
    const isFull = row.pieces.length >= FULL_HEAD * edges.length
    const pieces = row.pieces.flatMap((piece) => cutAtEdges(piece, edges, isFull))
    return pieces.length === row.pieces.length ? row : { ...row, pieces }
  }
  return partTexts(edges.length < 2 ? rows : rows.map(cut))
}

/** Minimum number of pieces that prove two columns of numbers and texts. */
const MIN_PAIRS = 0.35
const MIN_FITTING = 0.85
/** Maximum variation of aligned edges, in font sizes. */
const LOOSE_EDGE = 1.2

/** Splits numbers, aligned at their right, from the texts behind them, aligned at their left. */
function partTexts(rows: Row[]): Row[] {
  const columns = columnsOf(rows.filter(({ pieces }) => pieces.length > 1))
  const cuts = columns.flatMap((column) => {
    const inside = rows.flatMap(({ pieces }) => pieces.filter((piece) => overlap(piece, column) > 0))
    const pairs = inside.flatMap((piece) => {
      const [number, text] = wordsOf(piece).sort((a, b) => a.left - b.left)
      return number && text && isAmount(number.text) && /^\p{L}/u.test(text.text)
        ? [{ piece, gap: (number.right + text.left) / 2 }]
        : []
    })
    const size = rows[0]?.line.size ?? 10
    const alone = inside.filter(({ text }) => isAmount(text) || /^\p{L}/u.test(text.trim())).length
    if (pairs.length < MIN_PAIRS * inside.length || pairs.length < 4) return []
    if (pairs.length + alone < MIN_FITTING * inside.length) return []
    const spread = (list: number[]) => (Math.max(...list) - Math.min(...list)) / size
    const [lefts, rights] = [pairs.map(({ piece }) => piece.left), pairs.map(({ piece }) => piece.right)]
    const gaps = pairs.map(({ gap }) => gap).sort((a, b) => a - b)
    if (spread(lefts) < LOOSE_EDGE || spread(rights) < LOOSE_EDGE || spread(gaps) > LOOSE_EDGE) return []
    return [gaps[Math.floor(gaps.length / 2)] as number]
  })
  if (cuts.length === 0) return rows
  return rows.map((row) => ({ ...row, pieces: row.pieces.flatMap((piece) => cutAtGaps(piece, cuts)) }))
}

function cutAtGaps(piece: Piece, cuts: number[]): Piece[] {
  const inside = cuts.filter((x) => piece.left < x && piece.right > x)
  if (inside.length === 0) return [piece]
  const words = wordsOf(piece).sort((a, b) => a.left - b.left)
  const size = Math.max(...piece.runs.map((run) => run.size))
  const groups: Run[][] = [[]]
  words.forEach((word, at) => {
    const before = words[at - 1]
    const gap = before && (before.right + word.left) / 2
    if (gap !== undefined && inside.some((x) => Math.abs(gap - x) < LOOSE_EDGE * size)) groups.push([word])
    else groups.at(-1)?.push(word)
  })
  if (groups.length !== inside.length + 1) return [piece]
  // The gap is narrow and its position an estimate, so the cells end well before it.
  const [end, start] = [(x = 0) => x - 0.2 * size, (x = 0) => x + 0.2 * size]
  return groups.map((runs, at) => {
    const edges = around(runs)
    const left = at > 0 ? Math.max(edges.left, start(inside[at - 1])) : edges.left
    const right = at < inside.length ? Math.min(edges.right, end(inside[at])) : edges.right
    return { ...edges, left, right, runs, text: textOf(runs) }
  })
}

function cutAtEdges(piece: Piece, edges: number[], isFull: boolean): Piece[] {
  const inside = edges.filter((edge) => edge > piece.left + 1 && edge < piece.right - 1)
  const words = wordsOf(piece).sort((a, b) => a.left - b.left)
  const size = Math.max(...piece.runs.map((run) => run.size))
  const groups: Run[][] = [[]]
  words.forEach((word, at) => {
    const before = words[at - 1]
    const gap = before && (before.right + word.left) / 2
    const isAtEdge = gap !== undefined && inside.some((edge) => Math.abs(gap - edge) < ESTIMATE * size)
    // A percentage and a number behind it are two numbers anywhere.
    const isTwo = /%$/.test(before?.text ?? '') && /^[$€£¥]?\d|^[$€£¥]$/.test(word.text)
    if ((isAtEdge || isTwo) && !BEFORE_NUMBER.test(before?.text ?? '')) groups.push([word])
    else groups.at(-1)?.push(word)
  })
  const cells = groups.map((runs) => ({ ...around(runs), runs, text: textOf(runs) }))
  const isHead = isFull && cells.every(({ text }) => !isNumber(text) || /^(?:19|20)\d\d$/.test(text))
  return cells.length > 1 && (isHead || cells.every(({ text }) => isAmount(text))) ? cells : [piece]
}
