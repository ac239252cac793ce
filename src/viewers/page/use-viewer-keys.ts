import { type RefObject, useEffect, useRef } from 'react'
import type { shortcutTable } from '#shared/platform/shortcut-table.ts'
import { actionOf } from '../../web/platform/lib/me/shortcuts.ts'

/** Actions of a viewer’s shortcuts. The browser handles all other keys. */
export type KeyActions = Partial<Record<keyof (typeof shortcutTable)['viewer'], () => void>>

/** Handles keys inside a viewer, or when nothing else has focus; never while typing. */
export function useViewerKeys(viewer: RefObject<HTMLElement | null>, actions: KeyActions): void {
  const latest = useRef(actions)
  latest.current = actions
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { target } = event
      if (event.defaultPrevented) return
      if (!(target instanceof HTMLElement)) return
      if (target !== document.body && !viewer.current?.contains(target)) return
      if (target.matches('input:not([type="checkbox"]), textarea, select')) return
      const action = actionOf(event, 'viewer')
      const act = action && latest.current[action]
      if (!act) return
      event.preventDefault()
      act()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [viewer])
}
