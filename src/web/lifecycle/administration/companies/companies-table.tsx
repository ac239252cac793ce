import { Ellipsis, Gauge, Merge, Pencil, ShieldCheck, Trash2 } from 'lucide-react'
import type { CompanyFigures } from '#shared/lifecycle/companies/companies.ts'
import { WARNS_AT } from '#shared/money/budgets/budgets.ts'
import { formatCost, formatNumber } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { IconButton } from '../../../platform/ui/icon-button.tsx'
import { Menu } from '../../../platform/ui/overlays/menu.tsx'
import type { MenuEntry } from '../../../platform/ui/overlays/menu-entry.ts'
import { AdminTable } from '../admin-table.tsx'

export type CompanyAction = 'rename' | 'sign_in' | 'limits' | 'merge' | 'delete'

type CompaniesTableProps = {
  companies: readonly CompanyFigures[]
  isSuper: boolean
  onAct: (action: CompanyAction, company: CompanyFigures) => void
}

/** Companies with people, administrators and spending, each with a menu. */
export function CompaniesTable({ companies, isSuper, onAct }: CompaniesTableProps) {
  const { t } = useTranslation('companies')
  const columns = ['company', 'people', 'admin', 'spent'] as const
  return (
    <AdminTable
      columns={columns.map((column) => t(`column.${column}`))}
      actions={t('admin:administration.column.actions')}
      className="companies"
    >
      {companies.map((company) => (
        <CompanyRow
          key={company.id}
          company={company}
          isSuper={isSuper}
          onAct={(action) => onAct(action, company)}
        />
      ))}
    </AdminTable>
  )
}

type CompanyRowProps = {
  company: CompanyFigures
  isSuper: boolean
  onAct: (action: CompanyAction) => void
}

function CompanyRow({ company, isSuper, onAct }: CompanyRowProps) {
  const { t } = useTranslation('companies')
  const { name, domains, people, max_people, admin, admins } = company
  const entries: MenuEntry[] = [
    { label: t('menu.rename'), icon: <Pencil aria-hidden />, onSelect: () => onAct('rename') },
    { label: t('menu.sign_in'), icon: <ShieldCheck aria-hidden />, onSelect: () => onAct('sign_in') },
  ]
  const apart: MenuEntry[] = [
    { label: t('menu.limits'), icon: <Gauge aria-hidden />, onSelect: () => onAct('limits') },
    { kind: 'separator' },
    { label: t('menu.merge'), icon: <Merge aria-hidden />, onSelect: () => onAct('merge') },
    {
      label: t('menu.delete'),
      icon: <Trash2 aria-hidden />,
      tone: 'danger',
      onSelect: () => onAct('delete'),
    },
  ]
  return (
    <tr>
      <th scope="row">
        <span className="block truncate font-medium">{name}</span>
        {domains.length > 0 && (
          <span className="block truncate font-mono text-12 font-regular text-ink-3">
            {domains.join(', ')}
          </span>
        )}
      </th>
      <td className="num" data-label={t('column.people')}>
        {max_people === null
          ? formatNumber(people)
          : t('of', { value: formatNumber(people), limit: formatNumber(max_people) })}
      </td>
      <td className="text-ink-2" data-label={t('column.admin')}>
        <span className="block truncate">
          {admin ?? t('no_admin')}
          {admins > 1 && ` ${t('more_admins', { shown: formatNumber(admins - 1) })}`}
        </span>
      </td>
      <td data-label={t('column.spent')}>
        <Spent company={company} />
      </td>
      <td>
        <Menu
          align="end"
          trigger={
            <IconButton name={t('menu.of', { name })} size="sm">
              <Ellipsis aria-hidden className="icon" />
            </IconButton>
          }
          entries={isSuper ? [...entries, ...apart] : entries}
        />
      </td>
    </tr>
  )
}

/** Spending of the month, with a bar when there is a budget. */
function Spent({ company: { spent, budget } }: { company: CompanyFigures }) {
  const { t } = useTranslation('companies')
  if (budget === null) return <span className="num">{formatCost(spent)}</span>
  const share = budget > 0 ? spent / budget : 1
  const state = share >= 1 ? 'stops' : share >= WARNS_AT ? 'warns' : 'fine'
  return (
    <span className="budget-used num">
      <span aria-hidden className="budget-bar" data-state={state}>
        <i style={{ width: `${Math.min(1, share) * 100}%` }} />
      </span>
      <span>{t('of', { value: formatCost(spent), limit: formatCost(budget) })}</span>
    </span>
  )
}
