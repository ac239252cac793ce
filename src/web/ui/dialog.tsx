import { lazy, type ReactNode, type RefObject, Suspense, useState } from 'react'

const DialogLayer = lazy(() => import('./dialog-layer.tsx'))

export type DialogProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: ReactNode
  /** One or two sentences under the title. */
  description?: ReactNode
  children?: ReactNode
  /** Buttons at the end, the primary one last. */
  footer?: ReactNode
  size?: 'sm' | 'md' | 'lg'
  /** Escape and a click beside it close it; off for what must be answered. */
  dismissible?: boolean
  /** What gets the focus first; otherwise the first control. */
  initialFocus?: RefObject<HTMLElement | null>
}

/** A modal dialog: focus stays inside and returns to where it came from. */
export function Dialog(props: DialogProps) {
  const [wasOpened, setOpened] = useState(props.open)
  if (props.open && !wasOpened) setOpened(true)
  if (!wasOpened) return null
  return (
    <Suspense fallback={null}>
      <DialogLayer {...props} />
    </Suspense>
  )
}
