import { PromptFieldType } from '#shared/chat/prompts/fields.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Checkbox } from '../../../platform/ui/checkbox.tsx'
import { Field } from '../../../platform/ui/field.tsx'
import { Input, Textarea } from '../../../platform/ui/input.tsx'
import { Select } from '../../../platform/ui/select.tsx'
import type { DraftField } from './prompt-form-draft.ts'

type FieldListProps = {
  fields: readonly DraftField[]
  problems: ReadonlySet<string>
  onChange: (fields: DraftField[]) => void
}

/** The fields of the placeholders in the text, each with its kind, label and default. */
export function FieldList({ fields, problems, onChange }: FieldListProps) {
  const { t } = useTranslation('prompts')
  return (
    <section aria-label={t('field.fields')} className="grid gap-2">
      <h2 className="text-13 font-medium">{t('field.fields')}</h2>
      {fields.length === 0 ? (
        <p className="text-13 text-ink-2">{t('field.no_fields')}</p>
      ) : (
        <ul className="divide-y divide-line rounded-card border border-line">
          {fields.map((field, place) => (
            <FieldRow
              key={field.name}
              field={field}
              isWrong={problems.has(`fields.${place}`)}
              onChange={(edits) =>
                onChange(fields.map((one) => (one.name === field.name ? { ...one, ...edits } : one)))
              }
            />
          ))}
        </ul>
      )}
    </section>
  )
}

type FieldRowProps = { field: DraftField; isWrong: boolean; onChange: (edits: Partial<DraftField>) => void }

function FieldRow({ field, isWrong, onChange }: FieldRowProps) {
  const { t } = useTranslation('prompts')
  const { name, label, type, required, options, value } = field
  const isFile = type === 'file' || type === 'document'
  return (
    <li className="grid gap-3 px-4 py-3.5" aria-label={name}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="min-w-0 truncate font-mono text-13 font-medium">{`{{${name}}}`}</span>
        <span className="flex-1" />
        <Checkbox
          checked={required}
          onCheckedChange={(next) => onChange({ required: next })}
          label={<span className="text-13">{t('field.required')}</span>}
        />
      </div>
      <div className="grid items-start gap-3 md:grid-cols-3">
        <Field label={t('field.label')}>
          <Input
            quiet
            maxLength={200}
            placeholder={name}
            value={label}
            onChange={({ target }) => onChange({ label: target.value })}
          />
        </Field>
        <Field label={t('field.type')}>
          <Select
            quiet
            value={type}
            options={PromptFieldType.options.map((one) => ({ value: one, label: t(`types.${one}`) }))}
            onValueChange={(next) => onChange({ type: PromptFieldType.parse(next), value: '' })}
          />
        </Field>
        {!isFile && (
          <Field
            label={t('field.default')}
            error={isWrong && type !== 'choice' ? t('problem.default') : undefined}
          >
            {type === 'choice' ? (
              <Select
                quiet
                value={options.includes(value) ? value : ''}
                options={['', ...options.filter(Boolean)].map((one) => ({ value: one, label: one || '–' }))}
                onValueChange={(next) => onChange({ value: next })}
              />
            ) : type === 'long_text' ? (
              <Textarea
                quiet
                className="min-h-14!"
                value={value}
                onChange={({ target }) => onChange({ value: target.value })}
              />
            ) : (
              <Input
                quiet
                placeholder={type === 'text' ? undefined : t(`example.${type}`)}
                value={value}
                onChange={({ target }) => onChange({ value: target.value })}
              />
            )}
          </Field>
        )}
      </div>
      {type === 'choice' && (
        <Field
          label={t('field.options')}
          hint={t('field.options_hint')}
          error={isWrong ? t('problem.options') : undefined}
        >
          <Textarea
            quiet
            className="min-h-14!"
            value={options.join('\n')}
            onChange={({ target }) => onChange({ options: target.value.split('\n') })}
          />
        </Field>
      )}
    </li>
  )
}
