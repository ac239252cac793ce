import type { TableCell } from '../lines/page-table.ts'
import type { Rule } from '../page/read-graphics.ts'
import { type Column, isNumber } from './rows.ts'

/** Maximum rows of a table head. */
const MAX_HEAD_ROWS = 3
/** Tolerance of text centred over its columns, in font sizes. */
const OFF_MIDDLE = 0.5

/** Sets the column spans of head cells. A cell spans the columns of the rule below it; without a rule, those it is centred over. */
export function spanHeads(cells: TableCell[], columns: Column[], rules: Rule[]): TableCell[] {
  const result = [...cells]
  for (let row = 0; row < MAX_HEAD_ROWS; row++) {
    const own = result.filter((cell) => cell.row === row)
    const below = result.filter((cell) => cell.row === row + 1)
    if (own.some(({ text }) => isNumber(text) && !/^(?:19|20)\d\d$/.test(text))) break
    if (own.length === 0 || own.length >= below.length) break
    for (const cell of own) {
      const others = own.filter((one) => one !== cell)
      const limits = {
        first: Math.max(0, ...others.filter(({ column }) => column < cell.column).map(endOf)),
        last: Math.min(
          columns.length,
          ...others.map(({ column }) => column).filter((column) => column > cell.column),
        ),
      }
      const span = lineBelow(cell, columns, rules) ?? middleOf(cell, columns, limits)
      if (!span || span.first < limits.first || span.end > limits.last) continue
      result[result.indexOf(cell)] = { ...cell, column: span.first, columnSpan: span.end - span.first }
      own[own.indexOf(cell)] = { ...cell, column: span.first, columnSpan: span.end - span.first }
    }
  }
  return result
}

type Span = { first: number; end: number }

const endOf = ({ column, columnSpan }: TableCell) => column + columnSpan

function lineBelow(cell: TableCell, columns: Column[], rules: Rule[]): Span | null {
  const size = cell.bottom - cell.top
  const whole = (columns.at(-1)?.to ?? 0) - (columns[0]?.from ?? 0)
  const rule = rules.find(
    ({ isHorizontal, at, from, to }) =>
      isHorizontal &&
      at > cell.bottom - 0.4 * size &&
      at < cell.bottom + size &&
      from <= cell.left + 2 &&
      to >= cell.right - 2 &&
      to - from < 0.9 * whole,
  )
  if (!rule) return null
  const covered = columns.flatMap(({ from, to }, at) =>
    (from + to) / 2 > rule.from - 2 && (from + to) / 2 < rule.to + 2 ? [at] : [],
  )
  return covered.length > 0 ? { first: covered[0] as number, end: (covered.at(-1) as number) + 1 } : null
}

function middleOf(cell: TableCell, columns: Column[], limits: { first: number; last: number }): Span | null {
  const size = Math.min(12, cell.bottom - cell.top)
  const middle = (cell.left + cell.right) / 2
  const off = (first: number, end: number) =>
    Math.abs(middle - ((columns[first]?.from ?? 0) + (columns[end - 1]?.to ?? 0)) / 2)
  let best: Span & { off: number } = {
    first: cell.column,
    end: endOf(cell),
    off: off(cell.column, endOf(cell)),
  }
  if (best.off < OFF_MIDDLE * size) return null
  for (let first = Math.max(1, limits.first); first <= cell.column; first++)
    for (let end = endOf(cell); end <= limits.last; end++)
      if (off(first, end) < best.off) best = { first, end, off: off(first, end) }
  return best.off < OFF_MIDDLE * size ? best : null
}
