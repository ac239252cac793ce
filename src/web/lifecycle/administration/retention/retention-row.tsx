import { TriangleAlert } from 'lucide-react'
import { useId } from 'react'
import {
  MIN_AUDIT_DAYS,
  RETENTION_CHOICES,
  type RetentionState,
} from '#shared/lifecycle/retention/retention.ts'
import { formatNumber } from '../../../platform/i18n/format.ts'
import { type TFunction, useTranslation } from '../../../platform/i18n/i18n.ts'
import { sizeText } from '../../../platform/ui/files/file-size.ts'
import { Select } from '../../../platform/ui/select.tsx'

type Draft = { days: number | null; follows_house: boolean }
type RetentionRowProps = {
  rule: RetentionState
  isCompany: boolean
  isChanged: boolean
  onChange: (draft: Draft) => void
}

/** Retention of one kind of data, and what the next deletion run would remove. */
export function RetentionRow({ rule, isCompany, isChanged, onChange }: RetentionRowProps) {
  const { t } = useTranslation('admin')
  const id = useId()
  const { kind, days, follows_house, house_days } = rule
  const least = kind === 'audit' ? MIN_AUDIT_DAYS : 1
  const choices = RETENTION_CHOICES.filter((choice) => choice >= least)
  const isOther = days !== null && !follows_house && !choices.some((choice) => choice === days)
  const options = [
    ...(isCompany
      ? [{ value: 'house', label: t('retention.as_house', { time: timeOf(house_days, t) }) }]
      : []),
    { value: 'keep', label: t('retention.keep') },
    ...[...choices, ...(isOther ? [days] : [])].map((choice) => ({
      ...{ value: String(choice), label: timeOf(choice, t) },
    })),
  ]
  const choose = (value: string) =>
    onChange({ follows_house: value === 'house', days: Number(value) > 0 ? Number(value) : null })
  return (
    <li className="retention-row">
      <span id={id}>
        <span className="block font-medium">{t(`retention.kind.${kind}`)}</span>
        <span className="block text-12 text-ink-3">{t(`retention.since.${kind}`)}</span>
      </span>
      <Select
        aria-labelledby={id}
        value={follows_house ? 'house' : days === null ? 'keep' : String(days)}
        options={options}
        onValueChange={choose}
      />
      <Due rule={rule} isChanged={isChanged} />
    </li>
  )
}

/** Items the next deletion run would remove, shown as a warning for an unsaved change. */
function Due({ rule, isChanged }: { rule: RetentionState; isChanged: boolean }) {
  const { t } = useTranslation('admin')
  const days = rule.follows_house ? rule.house_days : rule.days
  if (days === null) return <span className="text-13 text-ink-3">{t('retention.kept')}</span>
  const found = rule.older.find((one) => one.days === days)
  const count = found?.items ?? 0
  if (count === 0) return <span className="text-13 text-ink-2">{t('retention.none')}</span>
  const size = found && found.bytes > 0 ? ` · ${sizeText(t, found.bytes)}` : ''
  const text = t('retention.would_go', { count, shown: formatNumber(count) }) + size
  if (!isChanged) return <span className="num text-13 text-ink-2">{text}</span>
  return (
    <span className="num flex items-center gap-2 text-13 font-medium text-warning">
      <TriangleAlert aria-hidden className="icon-14 flex-none" />
      {text}
    </span>
  )
}

/** Formats days as whole years or months where possible. */
export function timeOf(days: number | null, t: TFunction): string {
  if (days === null) return t('retention.keep')
  if (days % 365 === 0) return t('retention.years', { count: days / 365 })
  return t('retention.days', { count: days, shown: formatNumber(days) })
}
