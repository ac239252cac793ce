import { Pencil, Trash2 } from 'lucide-react'
import { type Budget, WARNS_AT } from '#shared/money/budgets/budgets.ts'
import { formatCost, formatNumber } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { IconButton } from '../../../platform/ui/icon-button.tsx'
import { AdminTable } from '../admin-table.tsx'
import { nameOfBudget } from './budget-words.ts'
import { useRemoveBudget } from './use-budgets.ts'

type BudgetsTableProps = { budgets: readonly Budget[]; onEdit: (budget: Budget) => void }

/** Table of budgets with the amount spent of each. */
export function BudgetsTable({ budgets, onEdit }: BudgetsTableProps) {
  const { t } = useTranslation('admin')
  const columns = ['budget', 'period', 'spent', 'limit', 'used'] as const
  return (
    <AdminTable
      columns={columns.map((column) => t(`budgets.column.${column}`))}
      actions={t('administration.column.actions')}
      className="num budgets"
    >
      {budgets.map((budget) => (
        <BudgetRow key={budget.id} budget={budget} onEdit={() => onEdit(budget)} />
      ))}
    </AdminTable>
  )
}

function BudgetRow({ budget, onEdit }: { budget: Budget; onEdit: () => void }) {
  const { t } = useTranslation('admin')
  const { mutate, isPending } = useRemoveBudget()
  const { kind, period, amount, spent } = budget
  const name = nameOfBudget(budget, t)
  return (
    <tr>
      <th scope="row">
        <span className="block truncate font-medium">{name}</span>
        {kind !== 'house' && (
          <span className="block text-12 font-regular text-ink-3">{t(`budgets.kind.${kind}`)}</span>
        )}
      </th>
      <td className="text-ink-2" data-label={t('budgets.column.period')}>
        {t(`budgets.period.${period}`)}
      </td>
      <td data-label={t('budgets.column.spent')}>{spent === null ? '–' : formatCost(spent)}</td>
      <td className="text-ink-2" data-label={t('budgets.column.limit')}>
        {formatCost(amount)}
      </td>
      <td data-label={t('budgets.column.used')}>
        {spent === null ? t('budgets.each_reply') : <Used spent={spent} amount={amount} />}
      </td>
      <td>
        <span className="flex">
          <IconButton name={t('budgets.change', { name })} size="sm" onClick={onEdit}>
            <Pencil aria-hidden className="icon-14" />
          </IconButton>
          <IconButton
            name={t('budgets.remove', { name })}
            size="sm"
            disabled={isPending}
            onClick={() => mutate(budget.id)}
          >
            <Trash2 aria-hidden className="icon-14" />
          </IconButton>
        </span>
      </td>
    </tr>
  )
}

/** Bar of the spent share, with a mark at the warning threshold. Text states the same values. */
function Used({ spent, amount }: { spent: number; amount: number }) {
  const { t } = useTranslation('admin')
  const share = amount > 0 ? spent / amount : 1
  const state = share >= 1 ? 'stops' : share >= WARNS_AT ? 'warns' : 'fine'
  return (
    <span className="budget-used">
      <span aria-hidden className="budget-bar" data-state={state}>
        <i style={{ width: `${Math.min(1, share) * 100}%` }} />
        <b style={{ left: `${WARNS_AT * 100}%` }} />
      </span>
      <span>
        {formatNumber(share, { style: 'percent', maximumFractionDigits: 0 })}
        {state !== 'fine' && ' · '}
        {state !== 'fine' && t(`budgets.state.${state}`)}
      </span>
    </span>
  )
}
