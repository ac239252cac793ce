import { around, type Run } from '../page/run.ts'
import { BEFORE_NUMBER, edgesOf, isAmount } from './columns.ts'
import { textOf } from './grid-table.ts'
import { isNumber, type Piece, type Row } from './rows.ts'
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
  if (edges.length < 2) return rows
  return rows.map((row) => {
    const isFull = row.pieces.length >= FULL_HEAD * edges.length
    const pieces = row.pieces.flatMap((piece) => cutAtEdges(piece, edges, isFull))
    return pieces.length === row.pieces.length ? row : { ...row, pieces }
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
