import { useEffect, useRef, useState } from 'react'

/** What a change of state brings needs this long to be laid out. */
const MEASURE_AFTER_MS = 100

/** Whether there is more below what is seen; measured 100 ms after `change` and when it is scrolled. */
export function useMoreBelow(change: string) {
  const scroller = useRef<HTMLDivElement>(null)
  const [hasMore, setMore] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the change is what is measured after.
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
