import { Dialog as Base } from '@base-ui/react/dialog'
import clsx from 'clsx'
import { X } from 'lucide-react'
import type { ReactNode, RefObject } from 'react'
import { useTranslation } from '../../i18n/i18n.ts'
import { IconButton } from '../icon-button.tsx'
import { InDialog } from './layer.ts'

export type DialogProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: ReactNode
  /** One or two sentences below the title. */
  description?: ReactNode
  children?: ReactNode
  /** Buttons at the end, the primary one last. */
  footer?: ReactNode
  /** `full` fills the window; `side` is at its right edge, as high as the window. */
  size?: 'sm' | 'md' | 'lg' | 'full' | 'side'
  /** Whether Escape and an outside click close it; off for questions that must be answered. */
  dismissible?: boolean
  /** Element that gets the focus first; by default the first control. */
  initialFocus?: RefObject<HTMLElement | null>
}

/** The dialog itself, loaded with the first one that opens. */
export default function DialogLayer({
  open,
  onOpenChange,
  title,
  description,
  children,
  footer,
  size = 'sm',
  dismissible = true,
  initialFocus,
}: DialogProps) {
  const { t } = useTranslation('common')
  const isHigh = size === 'full' || size === 'side'
  return (
    <Base.Root open={open} onOpenChange={(next) => (next || dismissible) && onOpenChange(next)}>
      <Base.Portal>
        <Base.Backdrop className="fade-motion fixed inset-0 z-(--z-modal) bg-overlay" />
        <Base.Viewport
          className={clsx(
            'fixed inset-0 z-(--z-modal) grid grid-cols-[minmax(0,1fr)]',
            size === 'side' ? 'justify-items-end' : 'place-items-center overflow-y-auto p-4',
          )}
        >
          <Base.Popup
            initialFocus={initialFocus}
            className={clsx(
              'pop-motion w-full bg-raised shadow-float outline-none',
              size !== 'side' && 'rounded-dialog',
              widths[size],
            )}
          >
            <header className="flex items-start gap-3 px-5 pt-5">
              <Base.Title className="min-w-0 flex-1 text-16 font-semibold">{title}</Base.Title>
              {dismissible && (
                <Base.Close
                  render={
                    <IconButton name={t('actions.close')} size="sm" className="-mt-1 -mr-2">
                      <X aria-hidden className="icon" />
                    </IconButton>
                  }
                />
              )}
            </header>
            <div className={clsx('px-5 pt-1.5 pb-5', isHigh && 'min-h-0 flex-1 overflow-y-auto')}>
              <InDialog value={true}>
                {description && <Base.Description className="text-ink-2">{description}</Base.Description>}
                {children}
              </InDialog>
            </div>
            {footer && (
              <footer className="flex flex-wrap justify-end gap-2 border-t border-line px-5 py-3">
                {footer}
              </footer>
            )}
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  )
}

const widths = {
  sm: 'max-w-[440px]',
  md: 'max-w-[680px]',
  lg: 'max-w-[840px]',
  full: 'flex h-full flex-col',
  side: 'flex h-dvh max-w-[480px] flex-col',
}
