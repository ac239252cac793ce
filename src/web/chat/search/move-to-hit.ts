/**
 * Moves the focus from a hit to the next, the previous, the first or the last one; above the first it is the search field.
 * Returns false when there is none.
 */
export function moveToHit(from: Element | null, where: 'next' | 'previous' | 'first' | 'last'): boolean {
  const hits = [...document.querySelectorAll<HTMLElement>('[data-hit]')]
  const at = hits.findIndex((hit) => hit.isSameNode(from))
  const target = { next: at + 1, previous: at - 1, first: 0, last: hits.length - 1 }[where]
  const field = document.querySelector<HTMLElement>('[data-search-field]')
  const found = where === 'previous' && at === 0 ? field : hits[target]
  found?.focus()
  return found !== undefined && found !== null
}
