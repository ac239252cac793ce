import { ChartColumn, Table } from 'lucide-react'
import { useState } from 'react'
import type { getHouseUsage } from '#shared/money/usage/usage.ts'
import { modelText } from '../../../money/billing/billing.tsx'
import { formatCost, formatDate, formatNumber } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import type { Answer } from '../../../platform/lib/api/call.ts'
import { Choice, Segment } from '../../../platform/ui/choices/segments.tsx'
import { columnsOf, type Measure, measures } from './day-columns.ts'
import { DaysChart } from './days-chart.tsx'
import { DaysTable } from './days-table.tsx'
import type { UsageSpan } from './use-house-usage.ts'

type UsageDaysProps = { usage: Answer<typeof getHouseUsage>; span: UsageSpan }

/** Usage per day and model, as a chart or a table of the same figures. */
export function UsageDays({ usage, span }: UsageDaysProps) {
  const { t } = useTranslation('admin')
  const [measure, setMeasure] = useState<Measure>(usage.sum.amount > 0 ? 'amount' : 'tokens')
  const [isTable, setTable] = useState(false)
  const found = columnsOf(usage, span, measure)
  const columns = { ...found, models: found.models.map((name) => modelText(name, t)) }
  const write = (value: number) => (measure === 'amount' ? formatCost(value) : formatNumber(value))
  const [first, last] = [span.from, span.to].map((day) =>
    formatDate(day, { day: 'numeric', month: 'long', timeZone: 'UTC' }),
  )
  return (
    <section aria-labelledby="usage-days" className="admin-card usage-card">
      <div className="admin-head">
        <h3 id="usage-days" className="text-13 font-semibold">
          {t('usage.by_day')}
        </h3>
        <span className="text-12 text-ink-3">
          {first} – {last} · {t('usage.utc')}
        </span>
        <span className="flex-1" />
        <Choice name={t('usage.measure')}>
          {measures.map((one) => (
            <Segment key={one} isOn={one === measure} onClick={() => setMeasure(one)}>
              {t(`usage.${one === 'amount' ? 'cost' : one}`)}
            </Segment>
          ))}
        </Choice>
        <Choice name={t('usage.show_as')}>
          <Segment isOn={!isTable} onClick={() => setTable(false)}>
            <ChartColumn aria-hidden className="icon-14" />
            <span className="sr-only">{t('usage.chart')}</span>
          </Segment>
          <Segment isOn={isTable} onClick={() => setTable(true)}>
            <Table aria-hidden className="icon-14" />
            <span className="sr-only">{t('usage.table')}</span>
          </Segment>
        </Choice>
      </div>
      {isTable ? (
        <DaysTable columns={columns} write={write} />
      ) : (
        <DaysChart columns={columns} write={write} name={t('usage.by_day')} />
      )}
    </section>
  )
}
