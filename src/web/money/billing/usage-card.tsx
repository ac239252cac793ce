import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getUsage, type UsageModel } from '#shared/money/billing/billing.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { formatAmount, formatCount, formatRoughly } from '../../platform/lib/money.ts'
import { Callout } from '../../platform/ui/callout.tsx'
import { Select } from '../../platform/ui/select.tsx'
import { modelText } from './model-text.ts'
import { UsageChart } from './usage-chart.tsx'
import { fillSteps, type Period, periods, type Span } from './usage-period.ts'

/** Maximum number of models with a bar of their own. */
const BARS = 5

/** Usage in a period, for the chart and the model filter. */
export function useUsage(span: Span, model: string | null) {
  const [from, to] = [span.from?.toISOString(), span.to?.toISOString()]
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  return useQuery({
    queryKey: ['usage', from, to, span.step, model],
    queryFn: ({ signal }) => {
      const time = { ...(from && { from }), ...(to && { to }), step: span.step, time_zone: timeZone }
      return call(getUsage, { query: { ...time, ...(model && { model }) }, signal })
    },
    placeholderData: keepPreviousData,
    refetchInterval: 15_000,
  })
}

type UsageCardProps = {
  usage: ReturnType<typeof useUsage>
  span: Span
  period: Period
  model: string | null
  onPeriod: (period: Period) => void
}

/** Usage in a period: total, one bar per day, and each model's share. */
export function UsageCard({ usage, span, period, model, onPeriod }: UsageCardProps) {
  const { t, i18n } = useTranslation('common')
  const steps = usage.data && fillSteps(span, usage.data.steps, new Date())
  const sum = (of: 'amount' | 'tokens' | 'calls') => (steps ?? []).reduce((total, one) => total + one[of], 0)
  const models = usage.data?.models.filter((one) => model === null || one.model_name === model) ?? []
  return (
    <section aria-labelledby="usage-sum" className="min-w-0 rounded-card border border-line px-5 py-4.5">
      <div className="flex items-center justify-between gap-3">
        <h2 id="usage-sum" className="text-13 font-semibold">
          {t('billing.used')}
        </h2>
        <Select
          aria-label={t('billing.period.label')}
          size="sm"
          value={period}
          options={periods.map((value) => ({ value, label: t(`billing.period.${value}`) }))}
          onValueChange={(value) => onPeriod(periods.find((one) => one === value) ?? 'month')}
        />
      </div>
      {usage.isError && !steps && (
        <Callout tone="danger" title={t('billing.failed')}>
          {errorText(t, usage.error)}
        </Callout>
      )}
      {steps && (
        <>
          <p className="mt-1 mb-4 flex flex-wrap items-baseline gap-2">
            <span className="num text-22 font-semibold tracking-[-0.02em]">
              {formatAmount(sum('amount'), i18n.language)}
            </span>
            <span className="num text-12 text-ink-3">
              {t('billing.sum', {
                calls: t('billing.call_count', { count: sum('calls') }),
                tokens: formatRoughly(sum('tokens'), i18n.language),
              })}
            </span>
          </p>
          {sum('calls') === 0 ? (
            <p className="py-8 text-center text-13 text-ink-2">{t('billing.nothing_used')}</p>
          ) : (
            <UsageChart
              steps={steps}
              step={span.step}
              name={t(span.step === 'day' ? 'billing.by_day' : 'billing.by_month')}
            />
          )}
          <ModelBars models={models} />
        </>
      )}
    </section>
  )
}

function ModelBars({ models }: { models: readonly UsageModel[] }) {
  const { t, i18n } = useTranslation('common')
  const isPriced = models.some(({ amount }) => amount > 0)
  const measure = (one: UsageModel) => (isPriced ? one.amount : one.tokens)
  const largest = Math.max(...models.map(measure), Number.MIN_VALUE)
  if (models.length === 0) return null
  return (
    <ul aria-label={t('billing.by_model')} className="mt-3 grid gap-2 border-t border-line pt-3 text-13">
      {models.slice(0, BARS).map((one) => (
        <li
          key={one.model_name}
          className="grid grid-cols-[minmax(0,10rem)_minmax(0,1fr)_auto] items-center gap-3"
        >
          <span className="truncate">{modelText(one.model_name, t)}</span>
          <span aria-hidden className="h-1 rounded-pill bg-surface-3">
            <span
              className="block h-full rounded-pill bg-accent"
              style={{ width: `${(measure(one) / largest) * 100}%` }}
            />
          </span>
          <span className="num text-right">
            {isPriced
              ? formatAmount(one.amount, i18n.language)
              : t('billing.token_count', { tokens: formatCount(one.tokens, i18n.language) })}
          </span>
        </li>
      ))}
    </ul>
  )
}
