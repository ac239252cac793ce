/**
 * Selection in the history's multi-select mode. `anchor` is the start of a range and `base` the selection before it, so
 * that a shrinking range restores it.
 */
export type Selection = {
  isActive: boolean
  ids: ReadonlySet<string>
  anchor: string | null
  base: ReadonlySet<string>
}

const nothing: ReadonlySet<string> = new Set()

export const noSelection: Selection = { isActive: false, ids: nothing, anchor: null, base: nothing }

/** Starts the mode, with one session selected if it began at a row. */
export function startSelection(id?: string): Selection {
  return id === undefined ? { ...noSelection, isActive: true } : toggleSelected(startSelection(), id)
}

/** Toggles a session; ranges start here from now on. */
export function toggleSelected(selection: Selection, id: string): Selection {
  const ids = new Set(selection.ids)
  if (!ids.delete(id)) ids.add(id)
  return { ...selection, ids, anchor: id, base: new Set(ids) }
}

/** Selects everything between the anchor and a session, inclusive, in addition to the selection before. */
export function selectRange(selection: Selection, to: string, order: readonly string[]): Selection {
  const from = selection.anchor !== null && order.includes(selection.anchor) ? selection.anchor : to
  const [start, end] = [order.indexOf(from), order.indexOf(to)].sort((a, b) => a - b) as [number, number]
  if (start < 0) return selection
  return { ...selection, anchor: from, ids: new Set([...selection.base, ...order.slice(start, end + 1)]) }
}

/** Selects the whole list, or nothing if all of it is selected. */
export function toggleAll(selection: Selection, order: readonly string[]): Selection {
  const isAll = order.length > 0 && order.every((id) => selection.ids.has(id))
  const ids = isAll ? nothing : new Set(order)
  return { ...selection, ids, anchor: null, base: ids }
}

/** Removes sessions that are no longer listed. Returns the same selection if nothing changes. */
export function pruneSelection(selection: Selection, order: readonly string[]): Selection {
  const listed = new Set(order)
  const keep = (ids: ReadonlySet<string>) => new Set([...ids].filter((id) => listed.has(id)))
  const ids = keep(selection.ids)
  if (ids.size === selection.ids.size) return selection
  return { ...selection, ids, base: keep(selection.base) }
}
