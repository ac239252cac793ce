import { formatDate } from '../i18n/format.ts'
import { useTranslation } from '../i18n/i18n.ts'
import { formatAmount, formatCount } from './money.ts'

type MonthCardProps = {
  month: { amount: number; input_tokens: number; output_tokens: number; calls: number }
}

/** What was used since the first of the month (UTC). */
export function MonthCard({ month }: MonthCardProps) {
  const { t, i18n } = useTranslation('common')
  const count = (value: number) => formatCount(value, i18n.language)
  const figures = [
    [t('billing.calls'), count(month.calls)],
    [t('billing.input_tokens'), count(month.input_tokens)],
    [t('billing.output_tokens'), count(month.output_tokens)],
  ]
  return (
    <section aria-labelledby="this-month" className="rounded-card border border-line px-5 py-4.5">
      <h2 id="this-month" className="flex items-baseline justify-between text-13 text-ink-2">
        {t('billing.this_month')}
        <span className="text-12 text-ink-3">
          {formatDate(new Date(), { month: 'long', year: 'numeric', timeZone: 'UTC' })}
        </span>
      </h2>
      <p className="num text-28 font-semibold tracking-[-0.02em]">
        {formatAmount(Math.abs(month.amount), i18n.language)}
      </p>
      <dl className="num mt-3 grid gap-1.5 border-t border-line pt-3 text-13">
        {figures.map(([name, value]) => (
          <div key={name} className="flex justify-between gap-4">
            <dt className="text-ink-2">{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
