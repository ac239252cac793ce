import { type RefObject, useEffect, useRef, useState } from 'react'

/**
 * Manages the row in the tab order and the row to focus. A requested row may not be rendered yet, and is focused as soon as
 * it is. If the focused row disappears, the one in its place takes over.
 */
export function useRowFocus(
  scroller: RefObject<HTMLElement | null>,
  order: readonly string[],
  fallbackId: string | null,
) {
  const [active, setActive] = useState<string | null>(null)
  const wanted = useRef<string | null>(null)
  const lastPosition = useRef(0)
  const isListed = active !== null && order.includes(active)
  const activeId = isListed ? active : substitute(order, active, fallbackId, lastPosition.current)
  if (isListed) lastPosition.current = order.indexOf(active)

  // The focused row and the focus are gone, so its neighbour takes over.
  useEffect(() => {
    if (active === null || isListed || activeId === null) return
    if (document.activeElement === document.body) wanted.current = activeId
    setActive(activeId)
  }, [active, activeId, isListed])

  useEffect(() => {
    const id = wanted.current
    if (id === null) return
    const row = scroller.current?.querySelector<HTMLElement>(
      `[data-session="${CSS.escape(id)}"] [data-row-focus]`,
    )
    if (!row) return
    wanted.current = null
    row.focus({ preventScroll: true })
  })

  return {
    activeId,
    setActive,
    moveTo: (id: string) => {
      wanted.current = id
      // Reset first, so that the effect runs even if it is already the active one.
      setActive(null)
      queueMicrotask(() => setActive(id))
    },
  }
}

function substitute(
  order: readonly string[],
  active: string | null,
  fallbackId: string | null,
  position: number,
): string | null {
  if (active !== null) return order[Math.min(position, order.length - 1)] ?? null
  return fallbackId !== null && order.includes(fallbackId) ? fallbackId : (order[0] ?? null)
}
