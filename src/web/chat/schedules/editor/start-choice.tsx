import { useQuery } from '@tanstack/react-query'
import { listProjects } from '#shared/chat/projects/projects.ts'
import { isEvent, type Rule, type TimeRule } from '#shared/chat/schedules/rule.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { Choice, Segment } from '../../../platform/ui/choices/segments.tsx'
import { Field } from '../../../platform/ui/field.tsx'
import { Select } from '../../../platform/ui/select.tsx'
import { MailSenders } from '../mails/mail-senders.tsx'
import { useScheduleList } from '../use-schedules.ts'
import { DocumentChoice, SourceField } from './document-choice.tsx'
import { RuleSentence } from './rule-sentence.tsx'
import { defaultRule, type FormProps } from './schedule-draft.ts'
import { withChosen } from './with-chosen.ts'

const starts = ['time', 'call', 'mail', 'document', 'run'] as const
type Start = (typeof starts)[number]

type Props = FormProps & { hasProblem: boolean }

/** The time or the event that starts a schedule. Reminders start at a time. */
export function StartChoice({ draft, change, hasProblem }: Props) {
  const { t } = useTranslation('schedules')
  const { rule } = draft
  return (
    <div className="grid gap-2">
      <h2 className="text-13 font-medium">{t('starts')}</h2>
      {draft.kind === 'prompt' && (
        <div>
          <Choice name={t('starts')}>
            {starts.map((start) => (
              <Segment
                key={start}
                isOn={startOf(rule) === start}
                onClick={() => startOf(rule) !== start && change({ rule: ruleFor(start) })}
              >
                {t(`start.${start}`)}
              </Segment>
            ))}
          </Choice>
        </div>
      )}
      {isEvent(rule) ? (
        <EventSettings {...{ draft, change, hasProblem }} />
      ) : (
        <RuleSentence
          rule={rule}
          timeZone={draft.time_zone}
          onChange={(next) => change({ rule: next })}
          onZone={(time_zone) => change({ time_zone })}
        />
      )}
    </div>
  )
}

function EventSettings({ draft, change, hasProblem }: Props) {
  const { t } = useTranslation('schedules')
  const { rule } = draft
  const error = hasProblem ? t('needed') : undefined
  return (
    <div className="grid gap-3">
      {(rule.kind === 'document' || rule.kind === 'connector_document') && (
        <div>
          <DocumentChoice {...{ draft, change }} />
        </div>
      )}
      {(rule.kind === 'document' || rule.kind === 'project_run') && (
        <ProjectField {...{ rule, change, error }} />
      )}
      {rule.kind === 'connector_document' && <SourceField {...{ rule, change, error }} />}
      {rule.kind === 'schedule_run' && <ScheduleField {...{ draft, change, error }} />}
      {rule.kind === 'mail' && <MailSenders {...{ rule, change, hasProblem }} />}
      {(rule.kind === 'schedule_run' || rule.kind === 'project_run') && (
        <div className="-order-1">
          <Choice name={t('after.name')}>
            <Segment
              isOn={rule.kind === 'schedule_run'}
              onClick={() => change({ rule: { kind: 'schedule_run', schedule_id: '' } })}
            >
              {t('after.schedule')}
            </Segment>
            <Segment
              isOn={rule.kind === 'project_run'}
              onClick={() => change({ rule: { kind: 'project_run', workspace_id: '' } })}
            >
              {t('after.project')}
            </Segment>
          </Choice>
        </div>
      )}
      <p className="text-12 text-ink-3">{t(`start_hint.${startOf(rule) as Exclude<Start, 'time'>}`)}</p>
    </div>
  )
}

type ProjectProps = Pick<FormProps, 'change'> & {
  rule: Extract<Rule, { workspace_id: string }>
  error: string | undefined
}

function ProjectField({ rule, change, error }: ProjectProps) {
  const { t } = useTranslation('schedules')
  const { data } = useQuery({
    queryKey: ['projects', 'choices'],
    queryFn: ({ signal }) => call(listProjects, { signal }),
    staleTime: 60_000,
  })
  const known = (data?.items ?? []).map(({ id, name }) => ({ value: id, label: name }))
  return (
    <Field label={t('field.project')} error={error}>
      <Select
        value={rule.workspace_id}
        options={withChosen(known, rule.workspace_id, t('choose_project'))}
        onValueChange={(workspace_id) => change({ rule: { ...rule, workspace_id } })}
      />
    </Field>
  )
}

function ScheduleField({ draft, change, error }: FormProps & { error: string | undefined }) {
  const { t } = useTranslation('schedules')
  const { data } = useScheduleList(1)
  const chosen = draft.rule.kind === 'schedule_run' ? draft.rule.schedule_id : ''
  const known = (data?.items ?? [])
    .filter(({ id, kind }) => id !== draft.id && kind === 'prompt')
    .map(({ id, name }) => ({ value: id, label: name }))
  return (
    <Field label={t('field.schedule')} error={error}>
      <Select
        value={chosen}
        options={withChosen(known, chosen, t('choose_schedule'))}
        onValueChange={(schedule_id) => change({ rule: { kind: 'schedule_run', schedule_id } })}
      />
    </Field>
  )
}

function startOf({ kind }: Rule): Start {
  if (kind === 'connector_document') return 'document'
  if (kind === 'call' || kind === 'document' || kind === 'mail') return kind
  return kind === 'schedule_run' || kind === 'project_run' ? 'run' : 'time'
}

function ruleFor(start: Start): Rule {
  switch (start) {
    case 'time':
      return defaultRule as TimeRule
    case 'call':
      return { kind: 'call' }
    case 'mail':
      return { kind: 'mail', senders: [] }
    case 'document':
      return { kind: 'document', workspace_id: '' }
    case 'run':
      return { kind: 'schedule_run', schedule_id: '' }
    default:
      return start satisfies never
  }
}
