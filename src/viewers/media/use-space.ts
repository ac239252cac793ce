import { useEffect, useEffectEvent } from 'react'

/** What has a use of its own for the Space key. */
const TAKES_SPACE =
  'input:not([type="range"]), textarea, select, button, summary, a[href], [contenteditable=""], [contenteditable="true"], [role="menuitem"], [role="menu"], [role="dialog"] [role="button"]'

/** Space does it wherever one is on the page, except while one types or stands on a button. */
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
