import { lazy, type ReactElement, type ReactNode, Suspense } from 'react'
import { useTrigger } from './trigger.ts'

const PopoverLayer = lazy(() => import('./popover-layer.tsx'))

export type PopoverProps = {
  trigger: ReactElement
  /** What it is, for assistive technology. */
  name: string
  children: ReactNode
  side?: 'top' | 'bottom' | 'left' | 'right'
  align?: 'start' | 'center' | 'end'
  open?: boolean
  onOpenChange?: (open: boolean) => void
  className?: string
}

/** A small floating panel beside its trigger. */
export function Popover({ trigger, open, onOpenChange, ...panel }: PopoverProps) {
  const { element, anchor, isOpen, setOpen } = useTrigger(trigger, { kind: 'dialog', open, onOpenChange })
  return (
    <>
      {element}
      {isOpen && (
        <Suspense fallback={null}>
          <PopoverLayer {...panel} anchor={anchor} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
