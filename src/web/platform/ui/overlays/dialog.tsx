import { lazy, Suspense, useState } from 'react'
import type { DialogProps } from './dialog-layer.tsx'

const DialogLayer = lazy(() => import('./dialog-layer.tsx'))

/** A modal dialog: the focus stays inside and returns afterwards. */
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
