import { Link } from '@tanstack/react-router'
import clsx from 'clsx'
import type { ProjectDetails } from '#shared/chat/projects/projects.ts'
import { WARNS_AT } from '#shared/money/budgets/budgets.ts'
import type { ProjectBudget } from '#shared/money/budgets/project-spending.ts'
import { formatCost, formatDate } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Skeletons } from '../../../platform/ui/states/skeleton.tsx'
import { SectionHead } from './section-head.tsx'
import { useSpending } from './use-parts.ts'

/** The cost of the chats of a project in this month, and its budgets. */
export function SpendingCard({ project: { id, role, is_archived } }: { project: ProjectDetails }) {
  const { t } = useTranslation('projects')
  const { data } = useSpending(id)
  return (
    <section>
      <SectionHead title={t('spending.title')}>
        {role === 'manager' && !is_archived && (
          <Link
            to="/project/$projectId/{-$tab}"
            params={{ projectId: id, tab: 'settings' }}
            className="text-13 text-accent hover:underline"
          >
            {t(data?.budgets.length ? 'spending.change' : 'spending.set')}
          </Link>
        )}
      </SectionHead>
      {!data && <Skeletons sizes={['h-16 w-full']} />}
      {data && (
        <div className="grid gap-3 rounded-card border border-line px-4 py-3">
          {data.budgets.map((budget) => (
            <BudgetState key={budget.period} budget={budget} />
          ))}
          {!data.budgets.some(({ period }) => period === 'month') && (
            <p className="text-13 text-ink-2">
              <span className="num text-16 font-semibold text-ink">{formatCost(data.spent_this_month)}</span>{' '}
              {t('spending.month')}
            </p>
          )}
        </div>
      )}
    </section>
  )
}

function BudgetState({ budget: { period, amount, spent, until } }: { budget: ProjectBudget }) {
  const { t } = useTranslation('projects')
  const share = amount > 0 ? Math.min(1, spent / amount) : 1
  const tone = share >= 1 ? 'bg-danger' : share >= WARNS_AT ? 'bg-warning' : 'bg-accent'
  return (
    <div className="grid gap-1.5">
      <p className="text-13 text-ink-2">
        <span className="num text-16 font-semibold text-ink">{formatCost(spent)}</span>{' '}
        {t(`spending.of_${period}`, { amount: formatCost(amount) })}
      </p>
      <span aria-hidden className="h-1.5 overflow-hidden rounded-pill bg-surface-3">
        <span className={clsx('block h-full', tone)} style={{ width: `${share * 100}%` }} />
      </span>
      {share >= WARNS_AT && (
        <p className={clsx('text-12', share >= 1 ? 'text-danger' : 'text-warning')}>
          {t(share >= 1 ? 'spending.used_up' : 'spending.nearly', {
            date: formatDate(until, { day: 'numeric', month: 'long', timeZone: 'UTC' }),
          })}
        </p>
      )}
    </div>
  )
}
