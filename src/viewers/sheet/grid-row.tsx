// biome-ignore-all lint/a11y/useSemanticElements: rows and cells that come and go cannot be those of a table.
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and names its active cell.
import { memo } from 'react'
import type { BlockCell } from '#shared/knowledge/documents/kept-files.ts'
import type { Area } from '#shared/knowledge/documents/ranges.ts'
import { HEAD, ROW, type Row, SIDE, type Spread, widthOf } from './measures.ts'
import type { Show } from './show-value.ts'

type GridRowProps = {
  row: number
  /** Undefined while loading. */
  cells: Row | undefined
  edges: readonly number[]
  columns: Spread
  frozen: number
  show: Show
  /** Label of cited cells. */
  citedWord: string
  id: string
  merges: readonly Area[]
  selected: string | null
  marked: string | null
  /** Column of the active cell; -1 in every other row. */
  active: number
}

/** Draws a row of the grid. Empty cells are not rendered; text overflows into them. */
export const GridRow = memo(function GridRow(props: GridRowProps) {
  const { row, cells, edges, columns, frozen, selected, marked, merges, citedWord } = props
  const from = Math.max(frozen, columns.first)
  // A merged cell that starts in the frozen columns covers the columns next to them.
  const over = merges.filter((one) => one.column < frozen).map((one) => one.column + one.columns - 1)
  const beside = { first: 0, last: Math.max(frozen - 1, ...over) }
  return (
    <div
      role="row"
      aria-rowindex={row + 2}
      aria-busy={cells === undefined || undefined}
      className="sheet-row"
      style={{ top: HEAD + row * ROW, height: ROW }}
    >
      <div
        className="sheet-side"
        style={{ width: SIDE + (edges[frozen] ?? 0) }}
        data-frozen={frozen > 0 || undefined}
      >
        <div
          role="rowheader"
          className="sheet-number"
          style={{ width: SIDE }}
          data-on={selected !== null || undefined}
        >
          {row + 1}
        </div>
        <ColumnLines edges={edges} spread={{ first: 0, last: frozen - 1 }} />
        <Cells {...props} spread={{ first: 0, last: frozen - 1 }} />
        <Mark span={selected} edges={edges} spread={beside} />
        <Mark span={marked} edges={edges} spread={beside} word={citedWord} />
      </div>
      <Cells {...props} spread={{ first: from, last: columns.last }} />
      <Mark span={selected} edges={edges} spread={{ first: frozen, last: edges.length - 2 }} />
      <Mark span={marked} edges={edges} spread={{ first: frozen, last: edges.length - 2 }} word={citedWord} />
    </div>
  )
})

function Cells({ spread, ...props }: GridRowProps & { spread: Spread }) {
  const { row, edges, show, id, merges, active } = props
  if (spread.last < spread.first) return null
  const cells = withEmpty(props.cells ?? [], merges, row, active)
  const isHere = (column: number) => column >= spread.first && column <= spread.last
  return (
    <>
      {cells.map((cell, at) => {
        const merge = merges.find((one) => one.column === cell.c && one.row === row)
        const last = merge ? merge.column + merge.columns - 1 : lastOf(cells, at, spread, edges)
        if (!isHere(cell.c) && !(cell.c < spread.first && last >= spread.first && props.frozen <= cell.c))
          return null
        if (isCovered(merges, row, cell.c)) return null
        return (
          <div
            key={cell.c}
            id={active === cell.c ? `${id}-${row}-${cell.c}` : undefined}
            role="gridcell"
            aria-colindex={cell.c + 1}
            aria-colspan={merge?.columns}
            aria-rowspan={merge?.rows}
            aria-selected={active === cell.c || undefined}
            dir="auto"
            className="sheet-cell"
            data-kind={cell.t}
            data-merged={merge ? true : undefined}
            style={{
              left: SIDE + (edges[cell.c] ?? 0),
              width: (edges[last + 1] ?? 0) - (edges[cell.c] ?? 0) - 1,
              ...(merge && { height: merge.rows * ROW - 1 }),
            }}
          >
            {show(cell)}
          </div>
        )
      })}
    </>
  )
}

/** Adds the active cell and merged cells even when they are empty. */
function withEmpty(cells: Row, merges: readonly Area[], row: number, active: number): BlockCell[] {
  const wanted = merges.filter((one) => one.row === row).map(({ column }) => column)
  if (active >= 0) wanted.push(active)
  const missing = [...new Set(wanted)].filter((column) => !cells.some(({ c }) => c === column))
  const all: BlockCell[] = [...cells, ...missing.map((c) => ({ c, v: '', t: 's' as const }))]
  return missing.length > 0 ? all.sort((one, other) => one.c - other.c) : all
}

/** Returns the last column that a cell's text overflows into, up to the next non-empty cell. */
function lastOf(cells: readonly BlockCell[], at: number, { last }: Spread, edges: readonly number[]): number {
  const cell = cells[at]
  if (!cell) return at
  if (cell.t !== 's' || cell.v === '') return cell.c
  const next = cells.slice(at + 1).find(({ v }) => v !== '')?.c ?? Number.POSITIVE_INFINITY
  const end = (edges[cell.c] ?? 0) + widthOf(cell.v.length)
  const most = Math.min(next - 1, last, cell.c + MOST_OVER)
  let column = cell.c
  while (column < most && (edges[column + 1] ?? 0) < end) column += 1
  return column
}

/** Maximum number of columns that text overflows into. */
const MOST_OVER = 12

function isCovered(merges: readonly Area[], row: number, column: number): boolean {
  return merges.some(
    (one) =>
      column >= one.column &&
      column < one.column + one.columns &&
      !(one.row === row && one.column === column),
  )
}

/** Draws the right borders of columns. */
export function ColumnLines({ edges, spread }: Pick<MarkProps, 'edges' | 'spread'>) {
  return Array.from({ length: Math.max(0, spread.last - spread.first + 1) }, (_, at) => (
    <i
      // biome-ignore lint/suspicious/noArrayIndexKey: one line is like the other.
      key={at}
      aria-hidden
      className="sheet-line"
      style={{ left: SIDE + (edges[spread.first + at + 1] ?? 0) - 1 }}
    />
  ))
}

type MarkProps = { span: string | null; edges: readonly number[]; spread: Spread; word?: string }

/** Marks the selected or cited part of a row. */
function Mark({ span, edges, spread, word }: MarkProps) {
  if (span === null) return null
  const [first, last, top, bottom] = span.split(' ')
  const [start, end] = [Number(first), Number(last)]
  const [from, to] = [Math.max(start, spread.first), Math.min(end, spread.last)]
  if (to < from) return null
  const sides = [top, bottom, from === start ? 'l' : '', to === end ? 'r' : ''].join('')
  return (
    <div
      aria-hidden
      className="sheet-mark"
      data-kind={word ? 'cited' : 'selected'}
      data-sides={sides}
      style={{ left: SIDE + (edges[from] ?? 0) - 1, width: (edges[to + 1] ?? 0) - (edges[from] ?? 0) + 1 }}
    >
      {word && top && from === start && <b>{word}</b>}
    </div>
  )
}
