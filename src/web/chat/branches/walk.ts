import type { MapLayout, MapRow } from './map-layout.ts'

/**
 * Returns the target of a key from a row of the map: up and down along its branch, left and right to nearby alternatives,
 * Home and End to the ends of its branch. Null for any other key; the same row without a target.
 */
export function walk(layout: MapLayout, from: number, key: string): number | null {
  const row = layout.rows[from]
  if (!row) return null
  if (key === 'ArrowUp') return row.up ?? from
  if (key === 'ArrowDown') return row.down ?? from
  if (key === 'ArrowLeft') return alternative(layout, from, -1)
  if (key === 'ArrowRight') return alternative(layout, from, 1)
  if (key === 'Home') return last(layout, from, 'up')
  if (key === 'End') return last(layout, from, 'down')
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
