import { useEffect, useRef, useState } from 'react'

/** Delay before measuring, until new content is laid out. */
const MEASURE_AFTER_MS = 100

/** Returns whether content continues below the visible part. Measures on scroll and 100 ms after `change`. */
export function useMoreBelow(change: string) {
  const scroller = useRef<HTMLDivElement>(null)
  const [hasMore, setMore] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: measures again after each change.
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    const measure = () => setMore(element.scrollHeight - element.scrollTop - element.clientHeight > 1)
    const timer = setTimeout(measure, MEASURE_AFTER_MS)
    element.addEventListener('scroll', measure, { passive: true })
    return () => {
      clearTimeout(timer)
      element.removeEventListener('scroll', measure)
    }
  }, [change])
  return { scroller, hasMore }
}
