import { type RefObject, useEffect, useRef } from 'react'

/** Actions by key; the browser handles all other keys. */
export type KeyActions = Record<string, () => void>

/** Handles keys inside a viewer, or when nothing else has focus; never while typing. */
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
