import { type ComponentProps, cloneElement, lazy, type ReactElement, Suspense, useState } from 'react'
import type { MenuEntries } from './menu-entry.ts'
import { useTrigger } from './trigger.ts'

const MenuLayer = lazy(() => import('./menu-layer.tsx'))

export type MenuProps = {
  /** The control that opens it: a `Button` or an `IconButton`. */
  trigger: ReactElement
  entries: MenuEntries
  side?: 'top' | 'bottom' | 'left' | 'right'
  align?: 'start' | 'center' | 'end'
  open?: boolean
  onOpenChange?: (open: boolean) => void
  className?: string
}

/** A list of actions, opened by a button. Arrows, Home, End and letters move, Escape closes. */
export function Menu({
  trigger,
  entries,
  side = 'bottom',
  align = 'start',
  open,
  onOpenChange,
  className,
}: MenuProps) {
  const { element, anchor, isOpen, setOpen } = useTrigger(trigger, { kind: 'menu', open, onOpenChange })
  return (
    <>
      {element}
      {isOpen && (
        <Suspense fallback={null}>
          <MenuLayer
            anchor={anchor}
            finalFocus={anchor}
            entries={entries}
            side={side}
            align={align}
            onClose={() => setOpen(false)}
            className={className}
          />
        </Suspense>
      )}
    </>
  )
}

/**
 * The same list on a right click (or a long press, if the system supports it) of its child. While disabled, the child stays
 * in the same element, so that it can animate between states.
 */
export function ContextMenu({
  entries,
  isOff = false,
  children,
  className,
}: {
  entries: MenuEntries
  isOff?: boolean
  children: ReactElement
  className?: string
}) {
  const [at, setAt] = useState<{ getBoundingClientRect: () => DOMRect } | null>(null)
  const child = children as ReactElement<ComponentProps<'div'>>
  return (
    <>
      {cloneElement(child, {
        onContextMenu: (event) => {
          child.props.onContextMenu?.(event)
          if (isOff || event.defaultPrevented) return
          event.preventDefault()
          const { clientX, clientY } = event
          setAt({ getBoundingClientRect: () => new DOMRect(clientX, clientY, 0, 0) })
        },
      })}
      {at && (
        <Suspense fallback={null}>
          <MenuLayer
            anchor={at}
            entries={entries}
            side="bottom"
            align="start"
            onClose={() => setAt(null)}
            className={className}
          />
        </Suspense>
      )}
    </>
  )
}
