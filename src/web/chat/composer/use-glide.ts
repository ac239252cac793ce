import { type RefObject, useCallback, useLayoutEffect, useRef } from 'react'
import { prefersReducedMotion } from '../../platform/lib/page-state.ts'

/** Same as `--d-view` and `--ease`. */
const motion = { duration: 300, easing: 'cubic-bezier(.2, 0, 0, 1)' }

/**
 * Animates the composer from the middle to the end with the first message. Only the composer moves; the page has its new
 * layout immediately. `leave` is called just before.
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
