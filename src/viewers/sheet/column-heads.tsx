// biome-ignore-all lint/a11y/useSemanticElements: rows and cells that come and go cannot be those of a table.
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and names its active cell.
import { type PointerEvent, useRef } from 'react'
import { type Area, columnName } from '#shared/knowledge/documents/ranges.ts'
import { HEAD, SIDE, type Spread } from './measures.ts'

type ColumnHeadsProps = {
  edges: readonly number[]
  columns: Spread
  frozen: number
  area: Area
  onWidth: (column: number, width: number) => void
}

/** Shows the column letters; dragging their right edges changes the width. */
export function ColumnHeads({ edges, columns, frozen, area, onWidth }: ColumnHeadsProps) {
  const head = (column: number) => (
    <ColumnHead
      key={column}
      column={column}
      left={SIDE + (edges[column] ?? 0)}
      width={(edges[column + 1] ?? 0) - (edges[column] ?? 0)}
      isOn={column >= area.column && column < area.column + area.columns}
      onWidth={onWidth}
    />
  )
  const from = Math.max(frozen, columns.first)
  return (
    <div role="row" aria-rowindex={1} className="sheet-row" style={{ top: 0, height: HEAD }}>
      <div
        className="sheet-side"
        style={{ width: SIDE + (edges[frozen] ?? 0) }}
        data-frozen={frozen > 0 || undefined}
      >
        <div className="sheet-number" style={{ width: SIDE }} />
        {Array.from({ length: frozen }, (_, column) => head(column))}
      </div>
      {Array.from({ length: Math.max(0, columns.last - from + 1) }, (_, at) => head(from + at))}
    </div>
  )
}

type ColumnHeadProps = {
  column: number
  left: number
  width: number
  isOn: boolean
  onWidth: ColumnHeadsProps['onWidth']
}

function ColumnHead({ column, left, width, isOn, onWidth }: ColumnHeadProps) {
  const start = useRef<number | null>(null)
  const grip = {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      event.stopPropagation()
      event.currentTarget.setPointerCapture(event.pointerId)
      start.current = event.clientX - width
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      if (start.current === null) return
      event.stopPropagation()
      onWidth(column, event.clientX - start.current)
    },
    onPointerUp: () => {
      start.current = null
    },
  }
  return (
    <div
      role="columnheader"
      aria-colindex={column + 1}
      className="sheet-letter"
      data-on={isOn || undefined}
      style={{ left, width }}
    >
      {columnName(column)}
      <span aria-hidden className="sheet-grip" {...grip} />
    </div>
  )
}
