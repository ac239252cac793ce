import type { PromptField } from '#shared/chat/prompts/fields.ts'
import type { Colleague } from '#shared/chat/schedules/handing-over.ts'
import { EVENT_FIELDS, isEvent } from '#shared/chat/schedules/rule.ts'
import type { ScheduleMail } from '#shared/chat/schedules/schedules.ts'
import type { UsedThing } from '#shared/chat/schedules/settings.ts'
import { DocumentChoice } from '../../../knowledge/documents/documents.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { modelLabel } from '../../../platform/lib/models/model-label.ts'
import { Choice, Segment } from '../../../platform/ui/choices/segments.tsx'
import { Field } from '../../../platform/ui/field.tsx'
import { Input, Textarea } from '../../../platform/ui/input.tsx'
import { Select } from '../../../platform/ui/select.tsx'
import { useAssistants } from '../../assistants/assistants.ts'
import { useModel } from '../../composer/composer.tsx'
import { MailAddress } from '../mails/mail-address.tsx'
import { CallAddress } from '../triggers/call-address.tsx'
import { FromPrompt } from './from-prompt.tsx'
import { MoreSettings } from './more-settings.tsx'
import { defaultRule, type FormProps } from './schedule-draft.ts'
import { StartChoice } from './start-choice.tsx'

/** Documents and an assistant, which together a message may name. */
const MAX_DOCUMENTS = 9

type Props = FormProps & {
  problems: Set<string>
  /** The stored deputy. */
  deputy: Colleague | null
  /** True if the stored schedule starts on a call, so that it has an address. */
  isCalled: boolean
  /** The address of a stored schedule that starts on a mail. */
  mail: ScheduleMail | null
}

/** The settings of a schedule. */
export function ScheduleForm({ draft, change, problems, deputy, isCalled, mail }: Props) {
  const { t } = useTranslation('schedules')
  const isPrompt = draft.kind === 'prompt'
  return (
    <>
      <Field label={t('field.name')} error={problems.has('name') ? t('needed') : undefined}>
        <Input value={draft.name} maxLength={100} onChange={({ target }) => change({ name: target.value })} />
      </Field>
      <div>
        <Choice name={t('field.kind')}>
          <Segment isOn={isPrompt} onClick={() => change({ kind: 'prompt' })}>
            {t('kind.prompt')}
          </Segment>
          <Segment
            isOn={!isPrompt}
            onClick={() => change({ kind: 'reminder', ...(isEvent(draft.rule) && { rule: defaultRule }) })}
          >
            {t('kind.reminder')}
          </Segment>
        </Choice>
      </div>
      <StartChoice {...{ draft, change }} hasProblem={problems.has('rule')} />
      {isCalled && draft.rule.kind === 'call' && <CallAddress scheduleId={draft.id} />}
      {mail && draft.rule.kind === 'mail' && <MailAddress mail={mail} />}
      <Field
        label={t(isPrompt ? 'field.text' : 'field.reminder')}
        hint={isPrompt ? t('field.text_hint') : undefined}
        error={problems.has('text') ? t('needed') : undefined}
        aside={isPrompt && <FromPrompt change={change} />}
      >
        <Textarea
          value={draft.text}
          maxLength={100_000}
          className="min-h-24"
          onChange={({ target }) => change({ text: target.value })}
        />
      </Field>
      {isPrompt && (
        <FieldValues
          fields={draft.fields}
          filled={isEvent(draft.rule) ? EVENT_FIELDS[draft.rule.kind] : []}
          problems={problems}
          onChange={(fields) => change({ fields })}
        />
      )}
      {isPrompt && <Chosen {...{ draft, change }} />}
      <MoreSettings {...{ draft, change, deputy }} />
    </>
  )
}

type ValuesProps = {
  fields: PromptField[]
  /** Names of the fields that an event fills in. */
  filled: readonly string[]
  problems: Set<string>
  onChange: (fields: PromptField[]) => void
}

/** Values for the placeholders of the text, except for those that an event fills in. */
function FieldValues({ fields, filled, problems, onChange }: ValuesProps) {
  const { t } = useTranslation('schedules')
  const shown = fields.filter(({ name }) => !filled.includes(name))
  if (shown.length === 0) return null
  const set = (name: string, value: string) =>
    onChange(fields.map((field) => (field.name === name ? { ...field, value } : field)))
  return (
    <fieldset
      aria-label={t('field.values')}
      className="grid gap-4 rounded-card border border-line p-4 md:grid-cols-2"
    >
      {shown.map((field) => (
        <Field
          key={field.name}
          label={field.label || field.name}
          error={problems.has(`field.${field.name}`) ? t('needed') : undefined}
        >
          <FieldControl field={field} onChange={(value) => set(field.name, value)} />
        </Field>
      ))}
    </fieldset>
  )
}

function FieldControl({ field, onChange }: { field: PromptField; onChange: (value: string) => void }) {
  const { type, options = [], value = '' } = field
  if (type === 'choice')
    return (
      <Select
        value={value}
        options={['', ...options].map((one) => ({ value: one, label: one }))}
        onValueChange={onChange}
      />
    )
  const props = { value, onChange: ({ target }: { target: { value: string } }) => onChange(target.value) }
  if (type === 'long_text') return <Textarea {...props} maxLength={10_000} />
  const isDate = type === 'date' && !value.includes('{{')
  return (
    <Input
      {...props}
      maxLength={10_000}
      type={isDate ? 'date' : 'text'}
      inputMode={type === 'number' ? 'decimal' : undefined}
    />
  )
}

/** The assistant, the model and the documents of each run. */
function Chosen({ draft, change }: FormProps) {
  const { t } = useTranslation('schedules')
  const { data: assistants = [], more } = useAssistants()
  const { models } = useModel(null, draft.model_name)
  const assistant = draft.things.find(({ kind }) => kind === 'assistant')
  const others = draft.things.filter(({ kind }) => kind !== 'assistant' && kind !== 'document')
  const documents = draft.things.filter(({ kind }) => kind === 'document')
  const set = (first: UsedThing | undefined, ids: string[]) =>
    change({
      things: [
        ...(first ? [first] : []),
        ...ids.map(
          (id): UsedThing => documents.find((one) => one.id === id) ?? { kind: 'document', id, name: '' },
        ),
        ...others,
      ],
    })
  const ids = documents.map(({ id }) => id)
  const known = assistants.map(({ id, name }) => ({ value: id, label: name }))
  const missing = assistant && !known.some(({ value }) => value === assistant.id)
  const isOffered = models.some(({ id }) => id === draft.model_name)
  return (
    <>
      <div className="grid gap-4 md:grid-cols-2">
        <Field label={t('field.assistant')}>
          <Select
            value={assistant?.id ?? ''}
            options={[
              { value: '', label: t('any') },
              ...(missing ? [{ value: assistant.id, label: assistant.name }] : []),
              ...known,
            ]}
            onFocus={() => more?.load()}
            onValueChange={(id) => set(id ? { kind: 'assistant', id, name: '' } : undefined, ids)}
          />
        </Field>
        <Field label={t('field.model')}>
          <Select
            value={draft.model_name ?? ''}
            options={[
              { value: '', label: t('any') },
              ...(draft.model_name && !isOffered
                ? [{ value: draft.model_name, label: modelLabel(draft.model_name, t) }]
                : []),
              ...models.map(({ id, name }) => ({ value: id, label: name })),
            ]}
            onValueChange={(next) => change({ model_name: next || null })}
          />
        </Field>
      </div>
      <section className="grid gap-2">
        <h2 className="text-13 font-medium">{t('field.documents')}</h2>
        <DocumentChoice
          name={t('field.documents')}
          ids={ids}
          disabled={false}
          onChange={(next) => set(assistant, next.slice(0, MAX_DOCUMENTS - others.length))}
        />
      </section>
    </>
  )
}
