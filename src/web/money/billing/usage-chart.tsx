import clsx from 'clsx'
import type { UsageStep } from '#shared/money/billing/billing.ts'
import { formatDate } from '../../platform/i18n/format.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { formatAmount, formatCount, formatRoughly } from '../../platform/lib/money.ts'
import { dateOf, keyOf, roundScale } from './usage-period.ts'

type UsageChartProps = { steps: readonly UsageStep[]; step: 'day' | 'month'; name: string }

/** Maximum number of labels below the bars. */
const LABELS = 6

/** Bar chart of usage per day or month: dollars, or tokens if nothing has a price. A table below repeats the figures. */
export function UsageChart({ steps, step, name }: UsageChartProps) {
  const { t, i18n } = useTranslation('common')
  const isPriced = steps.some(({ amount }) => amount > 0)
  const measure = (one: UsageStep) => (isPriced ? one.amount : one.tokens)
  const write = (value: number) =>
    isPriced ? formatAmount(value, i18n.language) : formatRoughly(value, i18n.language)
  const scale = roundScale(Math.max(...steps.map(measure)))
  const top = scale.at(-1) ?? 1
  const every = Math.ceil(steps.length / LABELS)
  const today = keyOf(new Date()).slice(0, step === 'day' ? 10 : 7)
  return (
    <figure aria-label={name} className="grid gap-2">
      <div aria-hidden className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2 text-12 text-ink-3">
        <div className="num relative h-28 text-right">
          {scale.map((value) => (
            <span
              key={value}
              className="absolute right-0 translate-y-1/2 whitespace-nowrap"
              style={{ bottom: `${(value / top) * 100}%` }}
            >
              {write(value)}
            </span>
          ))}
          <span className="invisible">{write(scale[1] ?? 0)}</span>
        </div>
        <svg
          aria-hidden
          viewBox={`0 0 ${steps.length * 10} 100`}
          preserveAspectRatio="none"
          className="h-28 w-full overflow-visible"
        >
          {scale.map((value) => (
            <line
              key={value}
              x2={steps.length * 10}
              y1={100 - (value / top) * 100}
              y2={100 - (value / top) * 100}
              vectorEffect="non-scaling-stroke"
              className="stroke-line"
            />
          ))}
          {steps.map((one, at) => {
            const height = (measure(one) / top) * 100
            return (
              <rect
                key={one.start}
                x={at * 10 + 2}
                width={6}
                y={100 - height}
                height={height}
                className={one.start.startsWith(today) ? 'fill-accent' : 'fill-accent-line'}
              >
                <title>{`${dayName(one.start, step)} · ${write(measure(one))}`}</title>
              </rect>
            )
          })}
        </svg>
        <span />
        <div className="num relative mt-1 h-4">
          {steps.map((one, at) =>
            at % every === 0 ? (
              <span
                key={one.start}
                className={clsx('absolute whitespace-nowrap', at > 0 && '-translate-x-1/2')}
                style={{ left: `${((at + 0.5) / steps.length) * 100}%` }}
              >
                {shortName(one.start, step, steps.length)}
              </span>
            ) : null,
          )}
        </div>
      </div>
      <details className="text-13">
        <summary className="w-fit cursor-pointer rounded-control text-12 text-ink-2 hover:text-ink max-md:py-3">
          {t('billing.figures')}
        </summary>
        <div className="mt-2 max-h-64 overflow-y-auto">
          <table className="num w-full">
            <caption className="sr-only">{name}</caption>
            <thead className="text-12 text-ink-2">
              <tr className="border-b border-line [&>th]:py-1.5 [&>th]:text-right [&>th]:font-medium">
                <th scope="col" className="text-left!">
                  {t(`billing.step.${step}`)}
                </th>
                <th scope="col">{t('billing.calls')}</th>
                <th scope="col">{t('billing.columns.tokens')}</th>
                <th scope="col">{t('billing.columns.amount')}</th>
              </tr>
            </thead>
            <tbody>
              {steps
                .filter(({ calls }) => calls > 0)
                .map((one) => (
                  <tr key={one.start} className="border-b border-line last:border-0 [&>td]:text-right">
                    <th scope="row" className="py-1.5 text-left font-regular">
                      {dayName(one.start, step)}
                    </th>
                    <td>{formatCount(one.calls, i18n.language)}</td>
                    <td>{formatCount(one.tokens, i18n.language)}</td>
                    <td>{formatAmount(one.amount, i18n.language)}</td>
                  </tr>
                ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  )
}

function dayName(start: string, step: 'day' | 'month'): string {
  const options = step === 'day' ? ({ day: 'numeric' } as const) : {}
  return formatDate(dateOf(start), { ...options, month: 'long', year: 'numeric' })
}

function shortName(start: string, step: 'day' | 'month', count: number): string {
  if (step === 'month') return formatDate(dateOf(start), { month: 'short', year: '2-digit' })
  return formatDate(dateOf(start), count > 31 ? { day: 'numeric', month: 'short' } : { day: 'numeric' })
}
