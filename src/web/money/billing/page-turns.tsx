import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { IconButton } from '../../platform/ui/icon-button.tsx'

type PageTurnsProps = {
  /** Name of the paged list. */
  label: string
  page: number
  hasMore: boolean
  onPage: (page: number) => void
  /** Current position. */
  children?: ReactNode
}

/** Previous and next page buttons. */
export function PageTurns({ label, page, hasMore, onPage, children }: PageTurnsProps) {
  const { t } = useTranslation('common')
  return (
    <nav aria-label={label} className="num mt-2 flex items-center justify-end gap-1 text-12 text-ink-3">
      {children && <span className="mr-1">{children}</span>}
      <IconButton
        name={t('billing.previous')}
        size="sm"
        disabled={page <= 1}
        onClick={() => onPage(page - 1)}
      >
        <ChevronLeft aria-hidden className="icon" />
      </IconButton>
      <IconButton name={t('billing.next')} size="sm" disabled={!hasMore} onClick={() => onPage(page + 1)}>
        <ChevronRight aria-hidden className="icon" />
      </IconButton>
    </nav>
  )
}
