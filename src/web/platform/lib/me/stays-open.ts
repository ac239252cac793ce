import { useEffect, useState } from 'react'
import { isOpenTo, useMe } from './me.ts'

/**
 * Returns whether a part of a page is shown: its feature or control is open, or it was hidden after the person typed. Hiding is not a
 * right, so what they typed can still be saved until they leave.
 */
export function useStaysOpen(name: string): boolean {
  const me = useMe()
  const hasTyped = useHasTyped()
  if (!me || isOpenTo(me, name)) return true
  return hasTyped && !me.closed_features?.some((closed) => closed === name)
}

/** Returns whether the person has typed in the view, or in a dialog above it, since the caller is mounted. */
function useHasTyped(): boolean {
  const [hasTyped, setTyped] = useState(false)
  useEffect(() => {
    const onInput = ({ target }: Event) => {
      if (target instanceof Element && target.closest('#main, dialog, [role=dialog]')) setTyped(true)
    }
    document.addEventListener('input', onInput)
    return () => document.removeEventListener('input', onInput)
  }, [])
  return hasTyped
}
