import { type ComponentProps, cloneElement, type ReactElement, type RefObject, useRef, useState } from 'react'

type Options = { kind: 'menu' | 'dialog'; open?: boolean; onOpenChange?: (open: boolean) => void }

/**
 * Makes a button open a floating element. The element is rendered (and its code loaded) only while open, so a list of a
 * thousand rows has a thousand plain buttons.
 */
export function useTrigger(trigger: ReactElement, { kind, open, onOpenChange }: Options) {
  const anchor = useRef<HTMLButtonElement>(null)
  const [isOpenHere, setOpenHere] = useState(false)
  const isOpen = open ?? isOpenHere
  const setOpen = (next: boolean) => {
    setOpenHere(next)
    onOpenChange?.(next)
  }
  const button = trigger as ReactElement<ComponentProps<'button'>>
  const element = cloneElement(button, {
    ref: anchor,
    'aria-haspopup': kind,
    'aria-expanded': isOpen,
    onClick: (event) => {
      button.props.onClick?.(event)
      if (!event.defaultPrevented) setOpen(!isOpen)
    },
    onKeyDown: (event) => {
      button.props.onKeyDown?.(event)
      if (kind !== 'menu' || event.defaultPrevented || !['ArrowDown', 'ArrowUp'].includes(event.key)) return
      event.preventDefault()
      setOpen(true)
    },
  })
  return { element, anchor, isOpen, setOpen }
}

/** Returns whether an event happened on the trigger, whose own click then decides instead of the floating element. */
export function isOn(event: Event, anchor: RefObject<HTMLElement | null> | object | null): boolean {
  const element = anchor && 'current' in anchor ? anchor.current : null
  return element instanceof Element && event.target instanceof Node && element.contains(event.target)
}
