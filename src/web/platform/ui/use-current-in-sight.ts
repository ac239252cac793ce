import { type RefObject, useLayoutEffect, useRef } from 'react'

/** Scrolls a row of entries sideways whenever another entry becomes current, to make it visible. */
export function useCurrentInSight<Row extends HTMLElement>(current: string): RefObject<Row | null> {
  const row = useRef<Row>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another entry scrolls the row.
  useLayoutEffect(() => {
    const entry = row.current?.querySelector('[aria-current], [aria-selected="true"]')
    if (!row.current || !entry) return
    const [frame, place] = [row.current.getBoundingClientRect(), entry.getBoundingClientRect()]
    if (place.left >= frame.left && place.right <= frame.right) return
    // Centred, so that neighbours are visible on both sides.
    row.current.scrollLeft += (place.left + place.right - frame.left - frame.right) / 2
  }, [current])
  return row
}
