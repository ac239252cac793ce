import { Download } from 'lucide-react'
import { useState } from 'react'
import type { getHouseUsage } from '#shared/money/usage/usage.ts'
import { formatCost, formatNumber } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import type { Answer } from '../../../platform/lib/api/call.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Choice, Segment } from '../../../platform/ui/choices/segments.tsx'
import { Select } from '../../../platform/ui/select.tsx'
import { Skeletons } from '../../../platform/ui/states/skeleton.tsx'
import { AdminHead } from '../admin-head.tsx'
import { ReadFailed } from '../read-failed.tsx'
import { useManagedCompanies } from '../use-managed.ts'
import { UsageDays } from './usage-days.tsx'
import { UsageShares } from './usage-shares.tsx'
import { lastDays, useHouseUsage, useUsageFile } from './use-house-usage.ts'
import './usage.css'

const periods = [7, 30, 90, 365]

/** Usage of the administered companies: by day and model, and by consumer. */
export function UsagePage() {
  const { t } = useTranslation('admin')
  const [days, setDays] = useState(30)
  const [companyId, setCompanyId] = useState('')
  const { data: companies = [] } = useManagedCompanies()
  const span = { ...lastDays(days, Date.now()), ...(companyId ? { company_id: companyId } : {}) }
  const { data, error, isPending, refetch } = useHouseUsage(span)
  const file = useUsageFile(span)
  return (
    <>
      <AdminHead title={t('usage.title')}>
        {companies.length > 1 && (
          <Select
            aria-label={t('usage.column.company')}
            value={companyId}
            options={[
              { value: '', label: t('usage.all_companies') },
              ...companies.map(({ id, name }) => ({ value: id, label: name })),
            ]}
            onValueChange={setCompanyId}
          />
        )}
        <Choice name={t('usage.period')}>
          {periods.map((count) => (
            <Segment key={count} isOn={count === days} onClick={() => setDays(count)}>
              {t('usage.days', { count })}
            </Segment>
          ))}
        </Choice>
        <Button
          icon={<Download aria-hidden className="icon" />}
          busy={file.isPending}
          onClick={() => file.mutate()}
        >
          CSV
        </Button>
      </AdminHead>
      {isPending && <Skeletons className="grid gap-4" sizes={['h-20', 'h-60', 'h-60']} />}
      {error && !data && <ReadFailed error={error} onRetry={refetch} />}
      {data && (
        <div className="usage">
          <UsageFacts usage={data} days={days} />
          {data.sum.calls > 0 && <UsageDays usage={data} span={span} />}
          <UsageShares span={span} key={JSON.stringify(span)} />
        </div>
      )}
    </>
  )
}

/** Totals of the whole span. */
function UsageFacts({
  usage: { sum, before, prices },
  days,
}: {
  usage: Answer<typeof getHouseUsage>
  days: number
}) {
  const { t } = useTranslation('admin')
  const change = before > 0 ? sum.amount / before - 1 : null
  const share = formatNumber(change ?? 0, { style: 'percent', maximumFractionDigits: 0 })
  const words = change === null ? 'first' : Math.abs(change) < 0.005 ? 'same' : change > 0 ? 'more' : 'less'
  return (
    <dl className="admin-card usage-facts num">
      <div>
        <dt>{t('usage.cost_sum')}</dt>
        <dd>{formatCost(sum.amount)}</dd>
        <dd>{t(`usage.${words}`, { share: share.replace('-', '−'), count: days })}</dd>
      </div>
      <div>
        <dt>{t('usage.calls_sum')}</dt>
        <dd>{formatNumber(sum.calls)}</dd>
      </div>
      <div>
        <dt>{t('usage.tokens_sum')}</dt>
        <dd>{formatNumber(sum.tokens, { notation: 'compact', maximumFractionDigits: 1 })}</dd>
      </div>
      <div>
        <dt>{t('usage.people_sum')}</dt>
        <dd>{formatNumber(sum.people)}</dd>
      </div>
      {prices.stated > 0 && (
        <div>
          <dt>{t('usage.prices_held')}</dt>
          <dd>
            {formatNumber(prices.inside / prices.stated, { style: 'percent', maximumFractionDigits: 0 })}
          </dd>
          <dd>{t('usage.prices_stated', { count: prices.stated, shown: formatNumber(prices.stated) })}</dd>
        </div>
      )}
    </dl>
  )
}
