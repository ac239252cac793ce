import { Plus, Target } from 'lucide-react'
import { useState } from 'react'
import { BUDGETS_LIMIT, type Budget } from '#shared/money/budgets/budgets.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { EmptyState } from '../../../platform/ui/states/empty-state.tsx'
import { Skeletons } from '../../../platform/ui/states/skeleton.tsx'
import { AdminHead } from '../admin-head.tsx'
import { Pages } from '../pages.tsx'
import { ReadFailed } from '../read-failed.tsx'
import { BudgetDialog } from './budget-dialog.tsx'
import { BudgetsTable } from './budgets-table.tsx'
import { PriceQuestionSetting } from './price-question.tsx'
import { useBudgets } from './use-budgets.ts'
import './budgets.css'

/** Budgets with their spent amounts. */
export function BudgetsPage() {
  const { t } = useTranslation('admin')
  const [page, setPage] = useState(1)
  const [edited, setEdited] = useState<Budget | 'new' | null>(null)
  const { data, error, isPending, refetch } = useBudgets(page)
  return (
    <>
      <AdminHead title={t('budgets.title')}>
        <Button
          variant="primary"
          icon={<Plus aria-hidden className="icon" />}
          onClick={() => setEdited('new')}
        >
          {t('budgets.new')}
        </Button>
      </AdminHead>
      <p className="-mt-2 mb-4 text-13 text-ink-2">{t('budgets.intro')}</p>
      {isPending && <Skeletons className="grid gap-2" sizes={['h-11', 'h-11', 'h-11']} />}
      {error && !data && <ReadFailed error={error} onRetry={refetch} />}
      {data?.items.length === 0 && (
        <EmptyState icon={<Target aria-hidden />} title={t('budgets.none')}>
          {t('budgets.none_hint')}
        </EmptyState>
      )}
      {data && data.items.length > 0 && <BudgetsTable budgets={data.items} onEdit={setEdited} />}
      {data && (
        <Pages
          page={page}
          limit={BUDGETS_LIMIT}
          shown={data.items.length}
          total={data.total}
          onPage={setPage}
        />
      )}
      <PriceQuestionSetting />
      {edited && <BudgetDialog budget={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
    </>
  )
}
