import { around, type Run } from '../page/run.ts'
import { BEFORE_NUMBER, BEHIND_NUMBER, columnsOf } from './columns.ts'
import { textOf } from './grid-table.ts'
import { isNumber, overlap, type Piece, type Row } from './rows.ts'

/** Character width of a fixed-pitch font, in font sizes. */
const PITCH = 0.6
const OFF_PITCH = 0.025
/** Minimum rows for finding gaps of one character. */
const MIN_ROWS = 4

/**
 * Splits fixed-pitch text into columns that are only one character apart: at the gaps of a line of dashes, otherwise at gaps next to
 * numbers that all full rows have in common.
 */
export function partTightColumns(rows: Row[], rulers: Row[]): Row[] {
  if (
    !rows.every(({ line, pieces }) =>
      pieces.every(({ runs }) => runs.every((run) => isOnePitch(run, line.size))),
    )
  )
    return rows
  const dashes = rulers.map(({ pieces }) => pieces.flatMap(wordsOf)).find((words) => words.length > 2)
  const cuts = dashes ? gapsOf(dashes) : tightGaps(rows)
  return cuts.length === 0
    ? rows
    : rows.map((row) => ({ ...row, pieces: row.pieces.flatMap((one) => cutPiece(one, cuts)) }))
}

function isOnePitch({ text, left, right }: Run, size: number): boolean {
  return text.length < 3 || Math.abs((right - left) / text.length / size - PITCH) < OFF_PITCH
}

/** Returns the words of a piece as separate runs. */
export function wordsOf({ runs }: Piece): Run[] {
  return runs.flatMap((run) => {
    const step = (run.right - run.left) / run.text.length
    return [...run.text.matchAll(/\S+/g)].map((match) => {
      const left = run.left + match.index * step
      return { ...run, whole: run.whole ?? run, text: match[0], left, right: left + match[0].length * step }
    })
  })
}

/** Returns the centres of the gaps between words, in order. */
function gapsOf(words: Run[]): number[] {
  const gaps: number[] = []
  let right = Number.POSITIVE_INFINITY
  for (const word of [...words].sort((a, b) => a.left - b.left)) {
    if (word.left > right + 1) gaps.push((right + word.left) / 2)
    right = Math.max(right === Number.POSITIVE_INFINITY ? word.right : right, word.right)
  }
  return gaps
}

function tightGaps(rows: Row[]): number[] {
  const most = Math.max(...rows.map(({ pieces }) => pieces.length))
  const full = rows.filter(({ pieces }) => pieces.length > 1 && pieces.length >= 0.5 * most)
  if (full.length < MIN_ROWS) return []
  return columnsOf(full).flatMap((column) => {
    const inRows = full.map(({ pieces }) =>
      pieces.filter((piece) => overlap(piece, column) > 0).flatMap(wordsOf),
    )
    return gapsOf(inRows.flat()).filter((x) => partsColumns(inRows, x))
  })
}

/** Returns whether a gap separates numbers from other cells, rather than the parts of a number or a date. */
function partsColumns(rows: Run[][], x: number): boolean {
  const sides = rows.map((words) => {
    const text = (list: Run[]) => list.map((word) => word.text).join(' ')
    return {
      left: text(words.filter((word) => word.right < x)),
      right: text(words.filter((word) => word.left > x)),
    }
  })
  const [left, right] = [
    sides.map((side) => side.left).filter(Boolean),
    sides.map((side) => side.right).filter(Boolean),
  ]
  const share = (list: string[], holds: (text: string) => boolean) =>
    list.filter(holds).length / Math.max(1, list.length)
  if (left.length < 0.5 * rows.length || right.length < 0.5 * rows.length) return false
  if (share(right, (text) => /^\d{3}(?:\D|$)/.test(text)) > 0.8) return false
  if (share(left, (text) => BEFORE_NUMBER.test(text.split(' ').at(-1) ?? '')) > 0.3) return false
  if (share(right, (text) => BEHIND_NUMBER.test(text.split(' ')[0] ?? '')) > 0.3) return false
  const isDate = ({ left: before, right: behind }: { left: string; right: string }) =>
    /\d$/.test(before) && /^\p{L}{3,}\.? (?:19|20)\d\d/u.test(behind)
  if (sides.some(isDate)) return false
  return (
    Math.max(
      share(
        left.map((text) => text.split(' ').at(-1) ?? ''),
        isValue,
      ),
      share(
        right.map((text) => text.split(' ')[0] ?? ''),
        isValue,
      ),
    ) > 0.7
  )
}

const isValue = (text: string) => isNumber(text) || /^(?:[-–—.]{1,3}|n\.?a\.?)$/i.test(text)

function cutPiece(piece: Piece, cuts: number[]): Piece[] {
  if (!cuts.some((x) => piece.left < x && piece.right > x)) return [piece]
  const words = wordsOf(piece)
  // A piece with a word across a gap, for example in a head, is not split.
  if (words.some((word) => cuts.some((x) => word.left < x - 1 && word.right > x + 1))) return [piece]
  const groups = Map.groupBy(words, (word) => cuts.filter((x) => x < word.left + 1).length)
  return [...groups.values()].map((runs) => ({ ...around(runs), runs, text: textOf(runs) }))
}
