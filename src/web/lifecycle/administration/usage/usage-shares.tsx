import { useState } from 'react'
import { USAGE_LIMIT, UsageBy, type UsageShare } from '#shared/money/usage/usage.ts'
import { modelText } from '../../../money/billing/billing.tsx'
import { formatCost, formatNumber } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { nameOfTool } from '../../../platform/i18n/tool-words.ts'
import { Choice, Segment } from '../../../platform/ui/choices/segments.tsx'
import { EmptyState } from '../../../platform/ui/states/empty-state.tsx'
import { Skeletons } from '../../../platform/ui/states/skeleton.tsx'
import { Pages } from '../pages.tsx'
import { ReadFailed } from '../read-failed.tsx'
import { type UsageSpan, useUsageShares } from './use-house-usage.ts'

/** Usage by user, company, model, tool or assistant, most expensive first. */
export function UsageShares({ span }: { span: UsageSpan }) {
  const { t } = useTranslation('admin')
  const [by, setBy] = useState<UsageBy>('user')
  const [page, setPage] = useState(1)
  const { data, error, isPending, refetch } = useUsageShares(span, by, page)
  return (
    <section aria-label={t('usage.by')}>
      <div className="admin-head">
        <Choice name={t('usage.by')}>
          {UsageBy.options.map((one) => (
            <Segment
              key={one}
              isOn={one === by}
              onClick={() => {
                setBy(one)
                setPage(1)
              }}
            >
              {t(`usage.by_${one}`)}
            </Segment>
          ))}
        </Choice>
      </div>
      {by === 'group' && <p className="-mt-2 mb-4 text-13 text-ink-2">{t('usage.groups_overlap')}</p>}
      {isPending && <Skeletons className="grid gap-2" sizes={['h-11', 'h-11', 'h-11']} />}
      {error && !data && <ReadFailed error={error} onRetry={refetch} />}
      {data?.items.length === 0 && <EmptyState title={t('usage.nothing')} />}
      {data && data.items.length > 0 && <SharesTable by={by} items={data.items} />}
      {data && (
        <Pages
          page={page}
          limit={USAGE_LIMIT}
          shown={data.items.length}
          total={data.total}
          onPage={setPage}
        />
      )}
    </section>
  )
}

const columnOf = {
  user: 'person',
  company: 'company',
  group: 'group',
  model: 'model',
  tool: 'tool',
  assistant: 'assistant',
} as const

function SharesTable({ by, items }: { by: UsageBy; items: readonly UsageShare[] }) {
  const { t } = useTranslation('admin')
  const nameOf = useShareName(by)
  const hasCompany = by === 'user' || by === 'group'
  const isPriced = items.some(({ amount }) => amount > 0)
  const measure = ({ amount, tokens }: UsageShare) => (isPriced ? amount : tokens)
  const largest = Math.max(...items.map(measure), Number.MIN_VALUE)
  return (
    <div className="admin-card">
      <table className="admin-table usage-shares num">
        <thead>
          <tr>
            <th scope="col">{t(`usage.column.${columnOf[by]}`)}</th>
            {hasCompany && <th scope="col">{t('usage.column.company')}</th>}
            {(['calls', 'tokens', 'cost'] as const).map((column) => (
              <th key={column} scope="col">
                {t(`usage.column.${column}`)}
              </th>
            ))}
            <td aria-hidden />
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <tr key={`${item.id} ${item.company}`}>
              <th scope="row">
                <span className="block truncate font-medium">{nameOf(item)}</span>
              </th>
              {hasCompany && (
                <td className="text-ink-2" data-label={t('usage.column.company')}>
                  {item.company ?? t('usage.no_company')}
                </td>
              )}
              <td className="text-ink-2" data-label={t('usage.column.calls')}>
                {formatNumber(item.calls)}
              </td>
              <td className="text-ink-2" data-label={t('usage.column.tokens')}>
                {formatNumber(item.tokens)}
              </td>
              <td data-label={t('usage.column.cost')}>{formatCost(item.amount)}</td>
              <td aria-hidden>
                <span className="usage-bar">
                  <i style={{ width: `${(measure(item) / largest) * 100}%` }} />
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Returns the label of a row: its name, a text for rows without one, or a text for deleted items. */
function useShareName(by: UsageBy): (share: UsageShare) => string {
  const { t } = useTranslation(['admin', 'tool_ui'])
  return ({ id, name }) => {
    if (id === null) return t(by === 'user' ? 'usage.gone' : `usage.no_${by}`)
    if (by === 'tool') return nameOfTool(t, { tool_id: id, tool_name: id })
    if (by === 'model' && name) return modelText(name, t)
    return name ?? t('usage.gone')
  }
}
