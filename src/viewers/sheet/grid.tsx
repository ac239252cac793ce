// biome-ignore-all lint/a11y/useSemanticElements: rows and cells that come and go cannot be those of a table.
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and names its active cell.
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import type { Area } from '#shared/knowledge/documents/ranges.ts'
import { useTranslation } from '../../web/platform/ui/card-parts.ts'
import { ColumnHeads } from './column-heads.tsx'
import { copyCells } from './copy-cells.ts'
import { ColumnLines, GridRow } from './grid-row.tsx'
import {
  clampWidth,
  columnsOn,
  edgesOf,
  frozenOf,
  HEAD,
  ROW,
  type Row,
  rowsOn,
  SIDE,
  type Spread,
  scrollTo,
  sizeOf,
  widthsOf,
} from './measures.ts'
import { isIn, moved, type Selection, wholeArea } from './selection.ts'
import type { Show } from './show-value.ts'
import { usePointer } from './use-pointer.ts'
import type { SheetAt } from './use-rows.ts'
import { useScreen } from './use-screen.ts'

type GridProps = {
  source: SheetAt
  show: Show
  /** Rows that determine the width of columns without one. */
  firstRows: readonly Row[]
  merges: readonly Area[]
  selection: Selection
  cited: Area | null
  /** Area to scroll into view. */
  target: Area | null
  rowAt: (row: number) => Row | undefined
  onSelect: (selection: Selection) => void
  /** Receives the range of visible rows, which need loading. */
  onSpread: (rows: Spread) => void
}

/** Rows kept visible above a target. */
const ROWS_ABOVE = 3
/** Width change per key press, in pixels. */
const WIDTH_STEP = 16

/** Shows the cells of a sheet. Renders only the visible part and a margin. */
export function Grid({
  source,
  show,
  firstRows,
  merges,
  selection,
  cited,
  target,
  rowAt,
  onSelect,
  onSpread,
}: GridProps) {
  const { t } = useTranslation('documents')
  const id = useId()
  const { sheet } = source
  const room = useRef<HTMLDivElement>(null)
  const size = useMemo(() => sizeOf(sheet), [sheet])
  const [widths, setWidths] = useState(() => widthsOf(sheet, size.columns, firstRows))
  const edges = useMemo(() => edgesOf(widths), [widths])
  const { screen, readScreen } = useScreen(room)
  const frozen = frozenOf(sheet, edges, screen)
  const rows = rowsOn(screen, size.rows)
  const { first: firstColumn, last: lastColumn } = columnsOn(screen, edges)
  // Memoized, because rows render again when a prop changes its identity.
  const columns = useMemo(() => ({ first: firstColumn, last: lastColumn }), [firstColumn, lastColumn])
  const citedWord = t('viewer.sheet.cited')
  const area = wholeArea(selection, merges)
  const { from: active } = selection
  const { first, last } = rows
  useEffect(() => onSpread({ first, last }), [first, last, onSpread])

  const goTo = (place: { row: number; column: number }) =>
    room.current?.scrollTo(scrollTo(place, readScreen(), edges, frozen))
  const select = (next: Selection) => {
    onSelect(next)
    goTo(next.to)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another target scrolls the sheet.
  useEffect(() => {
    if (!target) return
    const now = readScreen()
    const next = scrollTo(target, now, edges, frozen)
    const isElsewhere = next.top !== now.top || target.row + target.rows > (now.top + now.height) / ROW
    const top = isElsewhere ? Math.max(0, (target.row - frozen.rows - ROWS_ABOVE) * ROW) : next.top
    room.current?.scrollTo({ ...next, top })
  }, [target])
  const setWidth = (column: number, width: number) => setWidths((now) => now.with(column, clampWidth(width)))
  const { handlers } = usePointer({ room, readScreen, edges, frozen, size, merges, selection, onSelect })
  const onKeyDown = (event: KeyboardEvent) => {
    const { key: name, altKey, shiftKey, ctrlKey, metaKey } = event
    if ((ctrlKey || metaKey) && name.toLowerCase() === 'c') void copyCells(t, source, area)
    else if (altKey && shiftKey && (name === 'ArrowLeft' || name === 'ArrowRight')) {
      const by = name === 'ArrowLeft' ? -WIDTH_STEP : WIDTH_STEP
      setWidth(active.column, (widths[active.column] ?? 0) + by)
    } else {
      const page = Math.max(1, Math.floor((screen.height - HEAD) / ROW) - frozen.rows - 1)
      const mergeAt = (place: { row: number; column: number }) => merges.find((one) => isIn(place, one))
      const next = moved(selection, event, { ...size, used: sheet, page, mergeAt })
      if (!next) return
      select(next)
    }
    event.preventDefault()
  }

  const begun = merges.filter((one) => one.row < first && one.row + one.rows > first).map(({ row }) => row)
  const drawn = [...new Set([...begun, ...Array.from({ length: last - first + 1 }, (_, at) => first + at)])]
  const rowProps = (row: number) => ({
    ...{ row, cells: rowAt(row), edges, columns, frozen: frozen.columns, show },
    ...{ citedWord, id, merges: mergesIn(merges, row) },
    ...{
      selected: spanIn(area, row),
      marked: cited && spanIn(cited, row),
      active: active.row === row ? active.column : -1,
    },
  })
  const width = SIDE + (edges.at(-1) ?? 0)
  return (
    <div
      ref={room}
      role="grid"
      tabIndex={0}
      aria-label={t('viewer.sheet.grid', { name: sheet.name })}
      aria-rowcount={size.rows + 1}
      aria-colcount={size.columns}
      aria-multiselectable
      aria-readonly
      aria-activedescendant={`${id}-${active.row}-${active.column}`}
      className="sheet-grid"
      onKeyDown={onKeyDown}
      {...handlers}
    >
      <div className="sheet-canvas" style={{ width, height: HEAD + size.rows * ROW }}>
        <ColumnLines edges={edges} spread={columns} />
        <div
          className="sheet-top"
          style={{ width, height: HEAD + frozen.rows * ROW }}
          data-frozen={frozen.rows > 0 || undefined}
        >
          <ColumnHeads
            edges={edges}
            columns={columns}
            frozen={frozen.columns}
            area={area}
            onWidth={setWidth}
          />
          {frozen.rows > 0 && <ColumnLines edges={edges} spread={columns} />}
          {Array.from({ length: frozen.rows }, (_, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows are their numbers.
            <GridRow key={row} {...rowProps(row)} />
          ))}
        </div>
        {drawn
          .filter((row) => row >= frozen.rows)
          .map((row) => (
            <GridRow key={row} {...rowProps(row)} />
          ))}
      </div>
    </div>
  )
}

const none: Area[] = []

function mergesIn(merges: readonly Area[], row: number): readonly Area[] {
  const found = merges.filter((one) => row >= one.row && row < one.row + one.rows)
  return found.length === 0 ? none : found
}

/** Returns an area's columns and edges within a row, as text, so that equal values are identical. */
function spanIn({ row: top, rows, column, columns }: Area, row: number): string | null {
  if (row < top || row >= top + rows) return null
  return [column, column + columns - 1, row === top ? 't' : '', row === top + rows - 1 ? 'b' : ''].join(' ')
}
