import { type FocusEvent, type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react'

const OPENS_MS = 200
const CLOSES_MS = 150

/** Closes the shown card; another one replaces it. */
let closeShown: (() => void) | null = null

/**
 * A card shown while its anchor or the card itself, which is inside `root`, is hovered or focused. Touch has no hover, so
 * the tap handler opens it. Times in milliseconds.
 */
export function useFloating({ opensMs = OPENS_MS, focusMs = 0 } = {}) {
  const root = useRef<HTMLSpanElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [isOpen, setOpen] = useState(false)
  const change = (open: boolean, after = 0) => {
    clearTimeout(timer.current)
    if (after > 0) timer.current = setTimeout(() => setOpen(open), after)
    else setOpen(open)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  useEffect(() => {
    if (!isOpen) return
    const close = () => setOpen(false)
    closeShown?.()
    closeShown = close
    const isOutside = ({ target }: Event) => !(target instanceof Node && root.current?.contains(target))
    const onOutside = (event: Event) => isOutside(event) && close()
    document.addEventListener('pointerdown', onOutside)
    window.addEventListener('scroll', onOutside, true)
    return () => {
      if (closeShown === close) closeShown = null
      document.removeEventListener('pointerdown', onOutside)
      window.removeEventListener('scroll', onOutside, true)
    }
  }, [isOpen])
  return {
    ...{ root, isOpen, setOpen: change },
    events: {
      onPointerEnter: ({ pointerType }: PointerEvent) =>
        pointerType === 'mouse' && change(true, isOpen ? 0 : opensMs),
      onPointerLeave: ({ pointerType }: PointerEvent) => pointerType === 'mouse' && change(false, CLOSES_MS),
      onFocus: ({ target }: FocusEvent) => target.matches(':focus-visible') && change(true, focusMs),
      onBlur: ({ relatedTarget }: FocusEvent) =>
        !root.current?.contains(relatedTarget as Node | null) && change(false),
      onKeyDown: (event: KeyboardEvent) => {
        if (event.key !== 'Escape' || !isOpen) return
        // Other listeners for Escape must not react.
        event.stopPropagation()
        change(false)
      },
    },
  }
}
