import { formatDate } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import type { DayColumn, DayColumns } from './day-columns.ts'

type DaysTableProps = { columns: DayColumns; write: (value: number) => string }

/** Table of the chart's figures with their sum, newest day first. */
export function DaysTable({ columns: { models, hasRest, days }, write }: DaysTableProps) {
  const { t } = useTranslation('admin')
  const heads = [...models, ...(hasRest ? [t('usage.other')] : [])]
  const sum = (of: (day: DayColumn) => number) => days.reduce((total, day) => total + of(day), 0)
  return (
    <div className="usage-scroll">
      <table className="usage-table num">
        <thead>
          <tr>
            <th scope="col">{t('usage.column.day')}</th>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
            <th scope="col">{t('usage.column.total')}</th>
          </tr>
        </thead>
        <tbody>
          {days.toReversed().map(({ day, total, parts }) => (
            <tr key={day}>
              <th scope="row">{formatDate(day, { day: 'numeric', month: 'short', timeZone: 'UTC' })}</th>
              {heads.map((head, at) => (
                <td key={head}>{write(parts[at] ?? 0)}</td>
              ))}
              <td>{write(total)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t('usage.days', { count: days.length })}</th>
            {heads.map((head, at) => (
              <td key={head}>{write(sum(({ parts }) => parts[at] ?? 0))}</td>
            ))}
            <td>{write(sum(({ total }) => total))}</td>
          </tr>
        </tfoot>
      </table>
    </div>
  )
}
