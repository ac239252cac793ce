import { type RefObject, useEffect, useRef, useState } from 'react'

/**
 * Which row the Tab key reaches and which one is to be focused. A row that is asked for may not
 * be in the document yet: it is focused as soon as it is. When the focused row goes away, the
 * one in its place takes over.
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

  // The focused row is gone, and the focus with it: its neighbour takes over.
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
      // Also when it is the active one already: the effect has to run again.
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
