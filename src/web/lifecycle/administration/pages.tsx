import { ChevronLeft, ChevronRight } from 'lucide-react'
import { formatNumber } from '../../platform/i18n/format.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { IconButton } from '../../platform/ui/icon-button.tsx'

type PagesProps = {
  page: number
  limit: number
  /** Number of items on this page. */
  shown: number
  total: number
  onPage: (page: number) => void
}

/** Pagination of a list longer than one page. */
export function Pages({ page, limit, shown, total, onPage }: PagesProps) {
  const { t } = useTranslation('admin')
  if (total <= limit) return null
  const pages = Math.ceil(total / limit)
  return (
    <div className="admin-pages num">
      <span>
        {t('administration.range', {
          first: formatNumber((page - 1) * limit + 1),
          last: formatNumber((page - 1) * limit + shown),
          total: formatNumber(total),
        })}
      </span>
      <span className="flex-1" />
      <IconButton name={t('administration.previous')} disabled={page === 1} onClick={() => onPage(page - 1)}>
        <ChevronLeft aria-hidden className="icon" />
      </IconButton>
      <span>
        {page} / {pages}
      </span>
      <IconButton name={t('administration.next')} disabled={page >= pages} onClick={() => onPage(page + 1)}>
        <ChevronRight aria-hidden className="icon" />
      </IconButton>
    </div>
  )
}
