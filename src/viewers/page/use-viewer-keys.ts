import { type RefObject, useEffect, useRef } from 'react'

/** What keys do, by their name; other keys are left to the browser. */
export type KeyActions = Record<string, () => void>

/** Keys of a viewer: pressed in it, or while nothing else has the focus; never while something is written. */
export function useViewerKeys(viewer: RefObject<HTMLElement | null>, actions: KeyActions): void {
  const latest = useRef(actions)
  latest.current = actions
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { target, key } = event
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      if (!(target instanceof HTMLElement)) return
      if (target !== document.body && !viewer.current?.contains(target)) return
      if (target.matches('input:not([type="checkbox"]), textarea, select')) return
      const act = latest.current[key]
      if (!act) return
      event.preventDefault()
      act()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [viewer])
}
