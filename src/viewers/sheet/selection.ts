import type { Area } from '#shared/knowledge/documents/ranges.ts'

export type CellPlace = { row: number; column: number }
/** Start and current end of a selection. */
export type Selection = { from: CellPlace; to: CellPlace }

export function areaOf({ from, to }: Selection): Area {
  const [row, column] = [Math.min(from.row, to.row), Math.min(from.column, to.column)]
  return {
    row,
    column,
    rows: Math.abs(from.row - to.row) + 1,
    columns: Math.abs(from.column - to.column) + 1,
  }
}

/** Returns the selected area, extended to whole merged cells. */
export function wholeArea(selection: Selection, merges: readonly Area[]): Area {
  const area = areaOf(selection)
  return (area.rows * area.columns === 1 && merges.find((one) => isIn(selection.from, one))) || area
}

export function selectionOf({ row, column, rows, columns }: Area): Selection {
  return { from: { row, column }, to: { row: row + rows - 1, column: column + columns - 1 } }
}

export function isIn({ row, column }: CellPlace, area: Area): boolean {
  return (
    row >= area.row &&
    row < area.row + area.rows &&
    column >= area.column &&
    column < area.column + area.columns
  )
}

type Keys = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>
type Bounds = {
  /** Size of the whole grid, and of the part with cells. */
  rows: number
  columns: number
  used: { rows: number; columns: number }
  /** Rows per page. */
  page: number
  /** Returns the merged area of a cell. */
  mergeAt: (place: CellPlace) => Area | undefined
}

/** Returns the selection after a key press; null for other keys. */
export function moved(selection: Selection, keys: Keys, bounds: Bounds): Selection | null {
  if (keys.altKey) return null
  const isFar = keys.ctrlKey || keys.metaKey
  if (isFar && keys.key.toLowerCase() === 'a')
    return selectionOf({ row: 0, column: 0, rows: bounds.used.rows, columns: bounds.used.columns })
  const now = keys.shiftKey ? selection.to : selection.from
  const next = isFar ? jumped(now, keys.key, bounds) : stepped(now, keys.key, bounds)
  if (!next) return null
  const to = {
    row: Math.min(bounds.rows - 1, Math.max(0, next.row)),
    column: Math.min(bounds.columns - 1, Math.max(0, next.column)),
  }
  if (keys.shiftKey) return { from: selection.from, to }
  const merge = bounds.mergeAt(to)
  const place = merge ? { row: merge.row, column: merge.column } : to
  return { from: place, to: place }
}

function stepped(now: CellPlace, key: string, { page, used, mergeAt }: Bounds): CellPlace | null {
  const merge = mergeAt(now)
  const last = merge ? { row: merge.row + merge.rows - 1, column: merge.column + merge.columns - 1 } : now
  switch (key) {
    case 'ArrowUp':
      return { ...now, row: now.row - 1 }
    case 'ArrowDown':
      return { ...now, row: last.row + 1 }
    case 'ArrowLeft':
      return { ...now, column: now.column - 1 }
    case 'ArrowRight':
      return { ...now, column: last.column + 1 }
    case 'PageUp':
      return { ...now, row: now.row - page }
    case 'PageDown':
      return { ...now, row: now.row + page }
    case 'Home':
      return { ...now, column: 0 }
    case 'End':
      return { ...now, column: used.columns - 1 }
    default:
      return null
  }
}

function jumped(now: CellPlace, key: string, { used }: Bounds): CellPlace | null {
  const last = { row: Math.max(0, used.rows - 1), column: Math.max(0, used.columns - 1) }
  switch (key) {
    case 'ArrowUp':
      return { ...now, row: 0 }
    case 'ArrowDown':
      return { ...now, row: last.row }
    case 'ArrowLeft':
      return { ...now, column: 0 }
    case 'ArrowRight':
      return { ...now, column: last.column }
    case 'Home':
      return { row: 0, column: 0 }
    case 'End':
      return last
    default:
      return null
  }
}
