import type { ActivityDay } from '#shared/lifecycle/overview/overview.ts'
import { formatCost, formatNumber } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'

type ActivityProps = {
  days: readonly ActivityDay[]
  people: number
  waiting: number
  month: number
  budget: number | null
}

/** Figures of today, each with its course over the last days. */
export function Activity({ days, people, waiting, month, budget }: ActivityProps) {
  const { t } = useTranslation('overview')
  const today = days.at(-1)
  if (!today) return null
  const spent = { spent: formatCost(month), budget: formatCost(budget ?? 0) }
  return (
    <section aria-label={t('today')}>
      <div className="overview-head">
        <h3>{t('today')}</h3>
        <span>{t('period', { count: days.length })}</span>
      </div>
      <dl className="admin-card overview-figures num">
        <Figure
          name={t('people')}
          value={formatNumber(today.people)}
          detail={t('people_of', { shown: formatNumber(people) })}
          course={days.map((day) => day.people)}
        />
        <Figure
          name={t('calls')}
          value={formatNumber(today.calls)}
          detail={t('waiting', { count: waiting, shown: formatNumber(waiting) })}
          course={days.map((day) => day.calls)}
        />
        <Figure
          name={t('spent')}
          value={formatCost(today.amount)}
          detail={t(budget === null ? 'month' : 'month_of', spent)}
          course={days.map((day) => day.amount)}
        />
      </dl>
    </section>
  )
}

type FigureProps = { name: string; value: string; detail: string; course: number[] }

function Figure({ name, value, detail, course }: FigureProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
      <dd>{detail}</dd>
      <dd aria-hidden className="overview-course">
        <Course values={course} />
      </dd>
    </div>
  )
}

const WIDTH = 120
const HEIGHT = 32

/** A line without axes. The figure next to it is the last value. */
function Course({ values }: { values: number[] }) {
  const top = Math.max(...values, 1e-9)
  const points = values.map((value, at) => {
    const x = (at / Math.max(1, values.length - 1)) * (WIDTH - 4) + 2
    return [x, HEIGHT - 3 - (value / top) * (HEIGHT - 6)] as const
  })
  const [x, y] = points.at(-1) ?? [0, 0]
  return (
    <svg aria-hidden viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width={WIDTH} height={HEIGHT}>
      <polyline points={points.map((point) => point.join(',')).join(' ')} />
      <circle cx={x} cy={y} r={2.5} />
    </svg>
  )
}
