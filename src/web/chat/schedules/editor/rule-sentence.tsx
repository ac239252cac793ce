import type { ReactNode } from 'react'
import { LAST_DAY, type TimeRule } from '#shared/chat/schedules/rule.ts'
import { weekdayOf } from '#shared/chat/schedules/sentence.ts'
import { currentLanguage, useTranslation } from '../../../platform/i18n/i18n.ts'
import { Input } from '../../../platform/ui/input.tsx'
import { NumberInput } from '../../../platform/ui/number-input.tsx'
import { Select } from '../../../platform/ui/select.tsx'
import { defaultRule } from './schedule-draft.ts'

type Props = {
  rule: TimeRule
  timeZone: string
  onChange: (rule: TimeRule) => void
  onZone: (zone: string) => void
}

const patterns = ['once', 'minutes', 'hours', 'days', 'weekdays', 'month_days'] as const
type Pattern = (typeof patterns)[number]

/** The rule as a sentence whose words are controls. */
export function RuleSentence({ rule, timeZone, onChange, onZone }: Props) {
  const { t } = useTranslation('schedules')
  const pattern = patternOf(rule)
  return (
    <fieldset className="rounded-card border border-line px-4 py-3">
      <legend className="sr-only">{t('when')}</legend>
      <div className="flex flex-wrap items-center gap-x-2 gap-y-2 text-16">
        <Select
          aria-label={t('rule.pattern')}
          value={pattern}
          options={patterns.map((value) => ({ value, label: t(`pattern.${value}`) }))}
          onValueChange={(next) => onChange(ruleFor(next as Pattern, rule))}
        />
        <Words rule={rule} onChange={onChange} />
        {rule.kind !== 'interval' && (
          <>
            <span>{t('rule.at')}</span>
            <span className="w-32">
              <Input
                type="time"
                required
                aria-label={t('rule.time')}
                value={rule.time}
                onChange={({ target }) =>
                  target.value && onChange({ ...rule, time: target.value.slice(0, 5) })
                }
              />
            </span>
          </>
        )}
        <span>{t('rule.in')}</span>
        <Select
          aria-label={t('rule.zone')}
          className="max-w-60"
          value={timeZone}
          options={zonesWith(timeZone).map((value) => ({ value, label: value }))}
          onValueChange={onZone}
        />
      </div>
    </fieldset>
  )
}

/** The words between the pattern and the time. */
function Words({ rule, onChange }: Pick<Props, 'rule' | 'onChange'>) {
  const { t } = useTranslation('schedules')
  switch (rule.kind) {
    case 'once':
      return (
        <span className="w-44">
          <Input
            type="date"
            required
            aria-label={t('rule.date')}
            value={rule.date}
            onChange={({ target }) => target.value && onChange({ ...rule, date: target.value })}
          />
        </span>
      )
    case 'interval':
    case 'days':
      return (
        <>
          <span>{t('rule.every')}</span>
          <span className="w-20">
            <NumberInput
              aria-label={t('rule.count')}
              min={1}
              max={1000}
              fallback={1}
              value={rule.count}
              onValueChange={(count) => onChange({ ...rule, count })}
            />
          </span>
          <span>{t(`unit.${rule.kind === 'days' ? 'days' : rule.unit}`, { count: rule.count })}</span>
        </>
      )
    case 'weekdays':
      return <Weekdays days={rule.days} onChange={(days) => onChange({ ...rule, days })} />
    case 'month_days':
      return <MonthDays days={rule.days} onChange={(days) => onChange({ ...rule, days })} />
    default:
      return rule satisfies never
  }
}

type DaysProps = { days: number[]; onChange: (days: number[]) => void }

function Weekdays({ days, onChange }: DaysProps) {
  const { t } = useTranslation('schedules')
  const language = currentLanguage()
  return (
    <fieldset aria-label={t('rule.weekdays')} className="inline-flex flex-wrap gap-1">
      {[1, 2, 3, 4, 5, 6, 7].map((day) => (
        <DayToggle key={day} {...{ days, onChange, day }}>
          <span aria-hidden>{weekdayOf(day, language, 'short')}</span>
          <span className="sr-only">{weekdayOf(day, language)}</span>
        </DayToggle>
      ))}
    </fieldset>
  )
}

function MonthDays({ days, onChange }: DaysProps) {
  const { t } = useTranslation('schedules')
  const all = [...Array.from({ length: 31 }, (_, index) => index + 1), LAST_DAY]
  return (
    <fieldset aria-label={t('rule.month_days')} className="flex basis-full flex-wrap gap-1">
      {all.map((day) => (
        <DayToggle key={day} {...{ days, onChange, day }}>
          {day === LAST_DAY ? t('rule.last_day') : day}
        </DayToggle>
      ))}
    </fieldset>
  )
}

type ToggleProps = DaysProps & { day: number; children: ReactNode }

/** Chooses a day. The last chosen day stays. */
function DayToggle({ day, days, onChange, children }: ToggleProps) {
  const isOn = days.includes(day)
  const toggle = () => {
    if (!isOn) onChange([...days, day])
    else if (days.length > 1) onChange(days.filter((other) => other !== day))
  }
  return (
    <button
      type="button"
      aria-pressed={isOn}
      onClick={toggle}
      className={`h-8 min-w-8 rounded-control border px-2 text-13 font-medium hover-motion max-md:h-11 max-md:min-w-11 ${isOn ? 'border-accent bg-accent-soft text-accent' : 'border-line-2 text-ink-2 hover:text-ink'}`}
    >
      {children}
    </button>
  )
}

function patternOf(rule: TimeRule): Pattern {
  if (rule.kind !== 'interval') return rule.kind
  return rule.unit === 'hours' ? 'hours' : 'minutes'
}

/** Returns the rule of another pattern, with the time of the present one. */
function ruleFor(pattern: Pattern, before: TimeRule): TimeRule {
  const time = before.kind === 'interval' ? '08:00' : before.time
  switch (pattern) {
    case 'once':
      return { kind: 'once', date: new Date(Date.now() + 86_400_000).toLocaleDateString('en-CA'), time }
    case 'minutes':
      return { kind: 'interval', count: 30, unit: 'minutes' }
    case 'hours':
      return { kind: 'interval', count: 1, unit: 'hours' }
    case 'days':
      return { kind: 'days', count: 1, time }
    case 'weekdays':
      return { ...defaultRule, time } as TimeRule
    case 'month_days':
      return { kind: 'month_days', days: [1], time }
    default:
      return pattern satisfies never
  }
}

function zonesWith(zone: string): string[] {
  const all = Intl.supportedValuesOf('timeZone')
  return all.includes(zone) ? all : [zone, ...all]
}
