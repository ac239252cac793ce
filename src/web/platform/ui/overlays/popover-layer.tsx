import { Popover as Base } from '@base-ui/react/popover'
import clsx from 'clsx'
import type { ReactNode, RefObject } from 'react'
import { useFloatingLayer } from './layer.ts'
import { isOn } from './trigger.ts'

export type PopoverPanel = {
  /** Its name for assistive technology. */
  name: string
  children: ReactNode
  side?: 'top' | 'bottom' | 'left' | 'right'
  align?: 'start' | 'center' | 'end'
  className?: string
}

type Props = PopoverPanel & { anchor: RefObject<HTMLElement | null>; onClose: () => void }

/** The open panel itself, loaded with the first popover that opens. */
export default function PopoverLayer({
  anchor,
  name,
  children,
  side = 'bottom',
  align = 'start',
  onClose,
  className,
}: Props) {
  return (
    <Base.Root open onOpenChange={(open, { event }) => open || isOn(event, anchor) || onClose()}>
      <Base.Portal>
        <Base.Positioner
          anchor={anchor}
          side={side}
          align={align}
          sideOffset={6}
          collisionPadding={8}
          className={useFloatingLayer()}
        >
          <Base.Popup
            finalFocus={anchor}
            aria-label={name}
            className={clsx(
              'pop-motion max-w-[min(400px,calc(100vw-16px))] rounded-card bg-raised p-3 text-13 shadow-float outline-none',
              className,
            )}
          >
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
