import { roundScale } from '../../../money/billing/billing.tsx'
import { formatDate } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import type { DayColumn, DayColumns } from './day-columns.ts'

type DaysChartProps = { columns: DayColumns; write: (value: number) => string; name: string }

/** Maximum number of labels below the bars. */
const LABELS = 6
const HEIGHT = 100

/** Stacked bar chart of usage per day and model. The table has the same figures. */
export function DaysChart({ columns: { models, hasRest, days }, write, name }: DaysChartProps) {
  const { t } = useTranslation('admin')
  const scale = roundScale(Math.max(...days.map(({ total }) => total)))
  const top = scale.at(-1) ?? 1
  const every = Math.ceil(days.length / LABELS)
  const short = (day: string) => formatDate(day, { day: 'numeric', month: 'short', timeZone: 'UTC' })
  return (
    <figure aria-label={name}>
      <div aria-hidden className="usage-chart num">
        <div className="usage-axis">
          {scale.map((value) => (
            <span key={value} style={{ bottom: `${(value / top) * 100}%` }}>
              {write(value)}
            </span>
          ))}
        </div>
        <svg aria-hidden viewBox={`0 0 ${days.length * 10} ${HEIGHT}`} preserveAspectRatio="none">
          {scale.map((value) => (
            <line
              key={value}
              x2={days.length * 10}
              y1={HEIGHT - (value / top) * HEIGHT}
              y2={HEIGHT - (value / top) * HEIGHT}
              vectorEffect="non-scaling-stroke"
            />
          ))}
          {days.map((day, at) => (
            <g key={day.day}>
              <title>{`${short(day.day)} · ${write(day.total)}`}</title>
              {piecesOf(day, top).map(({ part, y, height }) => (
                <rect
                  key={part}
                  data-part={partName(part, models)}
                  x={at * 10 + 2}
                  width={6}
                  y={y}
                  height={height}
                />
              ))}
            </g>
          ))}
        </svg>
        <div className="usage-labels">
          {days.map(({ day }, at) =>
            at % every === 0 ? (
              <span key={day} style={{ left: `${((at + 0.5) / days.length) * 100}%` }}>
                {short(day)}
              </span>
            ) : null,
          )}
        </div>
      </div>
      <figcaption className="usage-legend">
        {[...models, ...(hasRest ? [t('usage.other')] : [])].map((model, part) => (
          <span key={model}>
            <i data-part={partName(part, models)} />
            {model}
          </span>
        ))}
      </figcaption>
    </figure>
  )
}

const partName = (part: number, models: readonly string[]) => (part < models.length ? part : 'rest')

/** Returns the segments of a bar, with the most expensive model at the bottom. */
function piecesOf({ parts }: DayColumn, top: number): { part: number; y: number; height: number }[] {
  let below = 0
  return parts.flatMap((value, part) => {
    if (value <= 0) return []
    const height = (value / top) * HEIGHT
    below += height
    return [{ part, y: HEIGHT - below, height }]
  })
}
