import { Popover as Base } from '@base-ui/react/popover'
import clsx from 'clsx'
import type { ReactElement, ReactNode } from 'react'

export type PopoverProps = {
  trigger: ReactElement
  /** What it is, for assistive technology. */
  name: string
  children: ReactNode
  side?: 'top' | 'bottom' | 'left' | 'right'
  align?: 'start' | 'center' | 'end'
  open?: boolean
  onOpenChange?: (open: boolean) => void
  /** Opens on hover too, after a short rest. */
  openOnHover?: boolean
  className?: string
}

/** A small floating panel beside its trigger. */
export function Popover({
  trigger,
  name,
  children,
  side = 'bottom',
  align = 'start',
  open,
  onOpenChange,
  openOnHover = false,
  className,
}: PopoverProps) {
  return (
    <Base.Root open={open} onOpenChange={onOpenChange}>
      <Base.Trigger render={trigger} openOnHover={openOnHover} delay={200} />
      <Base.Portal>
        <Base.Positioner
          side={side}
          align={align}
          sideOffset={6}
          collisionPadding={8}
          className="z-(--z-popover)"
        >
          <Base.Popup
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
