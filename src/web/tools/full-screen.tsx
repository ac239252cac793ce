import { Dialog as Base } from '@base-ui/react/dialog'
import type { ReactNode } from 'react'

type FullScreenProps = { name: string; isOpen: boolean; onClose: () => void; children: ReactNode }

/** Something over the whole window. Escape leaves it, and the focus returns to where it came from. */
export function FullScreen({ name, isOpen, onClose, children }: FullScreenProps) {
  return (
    <Base.Root open={isOpen} onOpenChange={(next) => next || onClose()}>
      <Base.Portal>
        <Base.Popup
          aria-label={name}
          className="fade-motion fixed inset-0 z-(--z-modal) flex flex-col bg-bg outline-none"
        >
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
