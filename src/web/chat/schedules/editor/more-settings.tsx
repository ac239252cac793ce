import type { Colleague } from '#shared/chat/schedules/handing-over.ts'
import { isEvent } from '#shared/chat/schedules/rule.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Switch } from '../../../platform/ui/checkbox.tsx'
import { Field } from '../../../platform/ui/field.tsx'
import { Select } from '../../../platform/ui/select.tsx'
import { useColleagues } from '../use-schedules.ts'
import type { FormProps } from './schedule-draft.ts'

const HOUR = 60
const DAY = 24 * HOUR
const deputyDelays = [HOUR, 4 * HOUR, DAY, 3 * DAY, 7 * DAY]
const skipDelays = [DAY, 3 * DAY, 7 * DAY, 30 * DAY]
const costs = [0.1, 0.25, 0.5, 1, 2, 5, 10]
const lengths = [1, 5, 10, 15, 30, 60]

type Props = FormProps & { deputy: Colleague | null }

/** Settings for results, limits, overlaps, missed runs and the deputy. */
export function MoreSettings({ draft, change, deputy }: Props) {
  const { t } = useTranslation('schedules')
  const isPrompt = draft.kind === 'prompt'
  return (
    <div className="grid gap-5">
      {isPrompt && <Results {...{ draft, change }} />}
      {isPrompt && <Limits {...{ draft, change }} />}
      <div className="grid gap-4 md:grid-cols-2">
        {!isEvent(draft.rule) && (
          <Field label={t('field.missed')}>
            <Select
              value={draft.missed}
              options={(['skip', 'last', 'all'] as const).map((value) => ({
                value,
                label: t(`missed.${value}`),
              }))}
              onValueChange={(next) => change({ missed: next as typeof draft.missed })}
            />
          </Field>
        )}
        {isPrompt && (
          <Field label={t('field.overlap')}>
            <Select
              value={draft.overlap}
              options={(['wait', 'skip', 'parallel'] as const).map((value) => ({
                ...{ value, label: t(`overlap.${value}`) },
                disabled: value === 'parallel' && draft.target === 'one_chat',
              }))}
              onValueChange={(next) => change({ overlap: next as typeof draft.overlap })}
            />
          </Field>
        )}
      </div>
      {isPrompt && <Questions {...{ draft, change, deputy }} />}
    </div>
  )
}

function Results({ draft, change }: FormProps) {
  const { t } = useTranslation('schedules')
  const toTarget = (target: typeof draft.target) =>
    change(
      target === 'one_chat' && draft.overlap === 'parallel'
        ? { target, overlap: 'wait' as const }
        : { target },
    )
  return (
    <div className="grid items-end gap-4 md:grid-cols-2">
      <Field label={t('field.target')}>
        <Select
          value={draft.target}
          options={(['one_chat', 'new_chats'] as const).map((value) => ({
            value,
            label: t(`target.${value}`),
          }))}
          onValueChange={(next) => toTarget(next as typeof draft.target)}
        />
      </Field>
      <span className="flex min-h-8 items-center">
        <Switch
          checked={draft.only_changes}
          onCheckedChange={(only_changes) => change({ only_changes })}
          label={<span className="text-13">{t('field.only_changes')}</span>}
        />
      </span>
    </div>
  )
}

function Limits({ draft, change }: FormProps) {
  const { t } = useTranslation('schedules')
  const withOwn = (all: number[], own: number | null) =>
    own === null || all.includes(own) ? all : [...all, own].sort((a, b) => a - b)
  return (
    <div className="grid gap-4 md:grid-cols-2">
      <Field label={t('field.max_cost')}>
        <Select
          value={String(draft.max_cost ?? '')}
          options={[
            { value: '', label: t('no_limit') },
            ...withOwn(costs, draft.max_cost).map((one) => ({
              value: String(one),
              label: `$${one.toFixed(2)}`,
            })),
          ]}
          onValueChange={(next) => change({ max_cost: next ? Number(next) : null })}
        />
      </Field>
      <Field label={t('field.max_minutes')}>
        <Select
          value={String(draft.max_minutes ?? '')}
          options={[
            { value: '', label: t('usual_limit') },
            ...withOwn(lengths, draft.max_minutes).map((one) => ({
              ...{ value: String(one), label: t('minutes', { count: one }) },
            })),
          ]}
          onValueChange={(next) => change({ max_minutes: next ? Number(next) : null })}
        />
      </Field>
    </div>
  )
}

function Questions({ draft, change, deputy }: Props) {
  const { t } = useTranslation('schedules')
  const { data } = useColleagues()
  const colleagues = data?.items ?? []
  // The list is cut, and the deputy may have left.
  const isListed = deputy === null || colleagues.some(({ id }) => id === deputy.id)
  const delay = (minutes: number) =>
    minutes % DAY === 0
      ? t('days', { count: minutes / DAY })
      : t('hours', { count: Math.round(minutes / HOUR) })
  const options = (all: number[], own: number | null) =>
    (own === null || all.includes(own) ? all : [...all, own]).map((one) => ({
      value: String(one),
      label: delay(one),
    }))
  return (
    <fieldset className="grid gap-4 rounded-card border border-line p-4 md:grid-cols-2">
      <legend className="sr-only">{t('field.questions')}</legend>
      <p className="text-13 text-ink-2 md:col-span-2">{t('questions_text')}</p>
      <Field label={t('field.deputy')} hint={data?.items.length === 0 ? t('no_colleagues') : undefined}>
        <Select
          value={draft.deputy_id ?? ''}
          options={[
            { value: '', label: t('no_deputy') },
            ...[...(isListed ? [] : [deputy]), ...colleagues].map(({ id, name }) => ({
              value: id,
              label: name,
            })),
          ]}
          onValueChange={(next) => change({ deputy_id: next || null })}
        />
      </Field>
      {draft.deputy_id ? (
        <Field label={t('field.deputy_after')}>
          <Select
            value={String(draft.deputy_after_minutes)}
            options={options(deputyDelays, draft.deputy_after_minutes)}
            onValueChange={(next) => change({ deputy_after_minutes: Number(next) })}
          />
        </Field>
      ) : (
        <span />
      )}
      <Field label={t('field.skip_after')}>
        <Select
          value={String(draft.skip_after_minutes ?? '')}
          options={[{ value: '', label: t('never') }, ...options(skipDelays, draft.skip_after_minutes)]}
          onValueChange={(next) => change({ skip_after_minutes: next ? Number(next) : null })}
        />
      </Field>
    </fieldset>
  )
}
