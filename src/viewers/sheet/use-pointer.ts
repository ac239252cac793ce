import { type MouseEvent, type PointerEvent, type RefObject, useRef } from 'react'
import type { Area } from '#shared/knowledge/documents/ranges.ts'
import { cellAt, type Frozen, type Screen } from './measures.ts'
import { type CellPlace, isIn, type Selection } from './selection.ts'

type Given = {
  room: RefObject<HTMLElement | null>
  readScreen: () => Screen
  edges: readonly number[]
  frozen: Frozen
  size: { rows: number; columns: number }
  merges: readonly Area[]
  selection: Selection
  onSelect: (selection: Selection) => void
}

/** Handles selection with the mouse: a cell, a dragged range, a row by number, a column by letter. On touch screens a tap selects. */
export function usePointer({ room, readScreen, edges, frozen, size, merges, selection, onSelect }: Given) {
  const from = useRef<CellPlace | null>(null)
  const isTouch = useRef(false)
  const placeOf = ({ clientX, clientY }: { clientX: number; clientY: number }) => {
    const { left = 0, top = 0 } = room.current?.getBoundingClientRect() ?? {}
    return cellAt({ x: clientX - left, y: clientY - top }, readScreen(), edges, frozen, size.rows)
  }
  const select = (first: CellPlace, last: CellPlace) => onSelect(spread(first, last, size, merges))
  const handlers = {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      isTouch.current = event.pointerType === 'touch'
      const { clientWidth = 0, clientHeight = 0 } = room.current ?? {}
      const { left = 0, top = 0 } = room.current?.getBoundingClientRect() ?? {}
      // Ignores presses on the scroll bars.
      if (event.clientX - left > clientWidth || event.clientY - top > clientHeight) return
      if (isTouch.current || event.button !== 0) return
      const place = placeOf(event)
      from.current = event.shiftKey ? selection.from : place
      event.currentTarget.setPointerCapture(event.pointerId)
      select(from.current, place)
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      if (from.current) select(from.current, placeOf(event))
    },
    onPointerUp: () => {
      from.current = null
    },
    onClick: (event: MouseEvent) => {
      if (isTouch.current) select(placeOf(event), placeOf(event))
    },
  }
  return { handlers }
}

/** Returns the area between two places; column letters and row numbers select whole columns and rows. */
function spread(
  first: CellPlace,
  last: CellPlace,
  { rows, columns }: { rows: number; columns: number },
  merges: readonly Area[],
): Selection {
  const from = { row: Math.max(0, first.row), column: Math.max(0, first.column) }
  const to = {
    row: first.row < 0 ? rows - 1 : Math.max(0, last.row),
    column: first.column < 0 ? columns - 1 : Math.max(0, last.column),
  }
  const merge = merges.find((one) => isIn(from, one))
  const isOne = from.row === to.row && from.column === to.column
  if (!merge || !isOne) return { from, to }
  const start = { row: merge.row, column: merge.column }
  return { from: start, to: start }
}
