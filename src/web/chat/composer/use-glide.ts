import { type RefObject, useCallback, useLayoutEffect, useRef } from 'react'
import { prefersReducedMotion } from '../../platform/lib/page-state.ts'

/** As `--d-view` and `--ease`. */
const motion = { duration: 300, easing: 'cubic-bezier(.2, 0, 0, 1)' }

/**
 * The one movement of the composer: with the first message it glides from the middle to its place at the end. Only it is
 * drawn moving; the page has its new layout at once. `leave` is called just before.
 */
export function useGlide(isMiddle: boolean): { box: RefObject<HTMLDivElement | null>; leave: () => void } {
  const box = useRef<HTMLDivElement>(null)
  const from = useRef<number | null>(null)
  const leave = useCallback(() => {
    from.current = box.current?.getBoundingClientRect().top ?? null
  }, [])
  useLayoutEffect(() => {
    const top = from.current
    from.current = null
    if (isMiddle || top === null || !box.current?.animate || prefersReducedMotion()) return
    const by = top - box.current.getBoundingClientRect().top
    box.current.animate({ transform: [`translateY(${by}px)`, 'none'] }, motion)
  }, [isMiddle])
  return { box, leave }
}
