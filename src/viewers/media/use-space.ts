import { useEffect, useEffectEvent } from 'react'

/** Elements that handle the Space key themselves. */
const TAKES_SPACE =
  'input:not([type="range"]), textarea, select, button, summary, a[href], [contenteditable=""], [contenteditable="true"], [role="menuitem"], [role="menu"], [role="dialog"] [role="button"]'

/** Handles Space anywhere on the page, except in text fields and on buttons. */
export function useSpace(onSpace: () => void): void {
  const act = useEffectEvent(onSpace)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isOther = event.key !== ' ' || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey
      if (isOther || event.defaultPrevented) return
      if (event.target instanceof Element && event.target.closest(TAKES_SPACE)) return
      event.preventDefault()
      act()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
}
