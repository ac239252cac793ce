import { lazy, type ReactElement, Suspense } from 'react'
import type { PopoverPanel } from './popover-layer.tsx'
import { useTrigger } from './trigger.ts'

const PopoverLayer = lazy(() => import('./popover-layer.tsx'))

export type PopoverProps = PopoverPanel & {
  trigger: ReactElement
  open?: boolean
  onOpenChange?: (open: boolean) => void
}

/** A small floating panel next to its trigger. */
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
