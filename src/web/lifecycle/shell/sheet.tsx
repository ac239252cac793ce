import { Dialog as Base } from '@base-ui/react/dialog'
import type { ReactNode } from 'react'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { setSheetOpen, useLayout } from '../../platform/lib/layout.ts'

/** The sidebar on phones: a sheet over the view, closed by Escape, an outside tap, or navigation. */
export function Sheet({ children }: { children: ReactNode }) {
  const { t } = useTranslation('common')
  const isOpen = useLayout((state) => state.isSheetOpen)
  const isTouring = useLayout((state) => state.isTouring)
  return (
    <Base.Root
      open={isOpen}
      modal={!isTouring}
      disablePointerDismissal={isTouring}
      onOpenChange={setSheetOpen}
    >
      <Base.Portal>
        <Base.Backdrop className="fade-motion fixed inset-0 z-(--z-sidebar) bg-overlay" />
        <Base.Popup
          aria-label={t('nav.main')}
          finalFocus={() => document.querySelector('[data-target]') === null}
          className="sheet-motion fixed inset-y-0 left-0 z-(--z-sidebar) w-[min(320px,calc(100vw-48px))] shadow-float outline-none"
        >
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
