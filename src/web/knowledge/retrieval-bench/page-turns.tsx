import { CASES_A_PAGE } from '#shared/knowledge/retrieval-bench/retrieval-bench.ts'
import { formatNumber } from '../../platform/i18n/format.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Button } from '../../platform/ui/button.tsx'

type PageTurnsProps = { page: number; total: number; onPage: (page: number) => void }

/** Page navigation for questions. */
export function PageTurns({ page, total, onPage }: PageTurnsProps) {
  const { t } = useTranslation('admin')
  if (total <= CASES_A_PAGE) return null
  const last = Math.min(page * CASES_A_PAGE, total)
  return (
    <div className="num flex items-center gap-2 text-12 text-ink-2">
      <Button size="sm" disabled={page === 1} onClick={() => onPage(page - 1)}>
        {t('administration.previous')}
      </Button>
      <span className="flex-1">
        {t('administration.range', {
          first: formatNumber((page - 1) * CASES_A_PAGE + 1),
          last: formatNumber(last),
          total: formatNumber(total),
        })}
      </span>
      <Button size="sm" disabled={last === total} onClick={() => onPage(page + 1)}>
        {t('administration.next')}
      </Button>
    </div>
  )
}
