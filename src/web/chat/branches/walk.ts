import type { shortcutTable } from '#shared/platform/shortcut-table.ts'
import type { MapLayout, MapRow } from './map-layout.ts'

type MapAction = keyof (typeof shortcutTable)['branches']

/**
 * Returns the target of an action from a row of the map: up and down along its branch, before and after to nearby alternatives,
 * start and end to the ends of its branch. Null for any other action; the same row without a target.
 */
export function walk(layout: MapLayout, from: number, action: MapAction): number | null {
  const row = layout.rows[from]
  if (!row) return null
  if (action === 'branch_up') return row.up ?? from
  if (action === 'branch_down') return row.down ?? from
  if (action === 'branch_before') return alternative(layout, from, -1)
  if (action === 'branch_after') return alternative(layout, from, 1)
  if (action === 'branch_start') return last(layout, from, 'up')
  if (action === 'branch_end') return last(layout, from, 'down')
  return null
}

function last({ rows }: MapLayout, from: number, way: 'up' | 'down'): number {
  let at = from
  for (let next = rows[at]?.[way]; next !== null && next !== undefined; next = rows[at]?.[way]) at = next
  return at
}

/** Returns the next alternative of the nearest message above that has some, otherwise of the first one below. */
function alternative(layout: MapLayout, from: number, step: 1 | -1): number {
  const near = find(layout, from, 'up') ?? find(layout, from, 'down')
  const row = near === null ? undefined : layout.rows[near]
  if (near === null || !row) return from
  const siblings = alternativesOf(layout, row)
  const at = siblings.indexOf(near)
  return siblings[(at + step + siblings.length) % siblings.length] ?? from
}

function find({ rows }: MapLayout, from: number, way: 'up' | 'down'): number | null {
  for (let at: number | null = from; at !== null; at = rows[at]?.[way] ?? null) {
    if ((rows[at]?.count ?? 0) > 1) return at
  }
  return null
}

/** Returns the rows of a message's alternatives, oldest first. */
function alternativesOf({ rows, rowOf }: MapLayout, row: MapRow): number[] {
  const siblings = rows.filter(({ message }) => message.parent_id === row.message.parent_id)
  return siblings.sort((a, b) => a.position - b.position).flatMap(({ id }) => rowOf.get(id) ?? [])
}
