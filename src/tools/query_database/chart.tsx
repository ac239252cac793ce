import { useState } from 'react'
import type { QueryResult, Value } from '#shared/tools/databases/databases.ts'
import { formatNumber, useTranslation } from '../../web/platform/ui/card-parts.ts'
import { Field } from '../../web/platform/ui/field.tsx'
import { Select } from '../../web/platform/ui/select.tsx'

/** Bars drawn at most. */
const MAX_BARS = 50

/** Bars of one column of numbers, with the names of another column. */
export function Chart({ columns, rows }: { columns: QueryResult['columns']; rows: readonly Value[][] }) {
  const { t } = useTranslation('tool_ui')
  const numbers = columns.flatMap(({ name, is_number }, at) =>
    is_number ? [{ value: String(at), label: name }] : [],
  )
  const all = columns.map(({ name }, at) => ({ value: String(at), label: name }))
  const firstText = columns.findIndex(({ is_number }) => !is_number)
  const [measure, setMeasure] = useState(numbers.at(-1)?.value ?? '')
  const [name, setName] = useState(String(Math.max(0, firstText)))
  if (numbers.length === 0) return <p className="text-13 text-ink-2">{t('query_database.no_numbers')}</p>
  const bars = rows.slice(0, MAX_BARS).map((row) => {
    const value = row[Number(measure)]
    return { label: String(row[Number(name)] ?? '–'), value: typeof value === 'number' ? value : 0 }
  })
  const greatest = Math.max(...bars.map(({ value }) => Math.abs(value)), Number.MIN_VALUE)
  return (
    <div className="grid gap-3">
      <div className="grid grid-cols-2 gap-3">
        <Field label={t('query_database.measure')}>
          <Select size="sm" value={measure} options={numbers} onValueChange={setMeasure} />
        </Field>
        <Field label={t('query_database.by')}>
          <Select size="sm" value={name} options={all} onValueChange={setName} />
        </Field>
      </div>
      <dl className="grid gap-1.5 text-13">
        {bars.map(({ label, value }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: bars have no identity of their own.
          <div key={at} className="flex items-center gap-3">
            <dt className="w-28 flex-none truncate">{label}</dt>
            <dd aria-hidden className="h-3 min-w-0 flex-1 rounded-full bg-surface-2">
              <span
                className={`block h-full rounded-full ${value < 0 ? 'bg-danger' : 'bg-accent'}`}
                style={{ width: `${(Math.abs(value) / greatest) * 100}%` }}
              />
            </dd>
            <dd className="num w-24 flex-none text-right text-ink-2">{formatNumber(value)}</dd>
          </div>
        ))}
      </dl>
      {rows.length > MAX_BARS && (
        <p className="text-12 text-ink-3">{t('query_database.first_bars', { count: MAX_BARS })}</p>
      )}
    </div>
  )
}
