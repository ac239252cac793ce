import type { Settings, Source, SourceField } from '#shared/knowledge/connectors/sources.ts'
import { MAX_SETTING } from '#shared/knowledge/connectors/sources.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Field } from '../../../platform/ui/field.tsx'
import { Input, PasswordInput, Textarea } from '../../../platform/ui/input.tsx'
import { Select } from '../../../platform/ui/select.tsx'

type Props = {
  source: Pick<Source, 'id' | 'fields'>
  settings: Settings
  /** Names of the secrets that are stored. They stay when their field is empty. */
  stored?: readonly string[]
  onChange: (settings: Settings) => void
}

/** The fields of a source's settings. */
export function SourceFields({ source, settings, stored = [], onChange }: Props) {
  const { t } = useTranslation('connectors')
  return (
    <>
      {source.fields.map((field) => {
        const texts = `sources.${source.id}.fields.${field.name}`
        const isStored = stored.includes(field.name)
        const hint = isStored ? t('secret_stored') : t(`${texts}_hint`, { defaultValue: '' })
        return (
          <Field
            key={field.name}
            label={t(texts, { defaultValue: field.name })}
            hint={hint || undefined}
            optional={!field.required && field.type !== 'choice'}
          >
            <Control
              field={field}
              labels={`sources.${source.id}.options.${field.name}`}
              isRequired={field.required && !isStored}
              value={settings[field.name] ?? ''}
              onChange={(value) => onChange({ ...settings, [field.name]: value })}
            />
          </Field>
        )
      })}
    </>
  )
}

type ControlProps = {
  field: SourceField
  /** Key of the texts of a choice. */
  labels: string
  isRequired: boolean
  value: string
  onChange: (value: string) => void
}

function Control({ field: { type, options }, labels, isRequired, value, onChange }: ControlProps) {
  const { t } = useTranslation('connectors')
  const common = { value, required: isRequired, maxLength: MAX_SETTING }
  switch (type) {
    case 'secret':
      return (
        <PasswordInput {...common} autoComplete="off" onChange={({ target }) => onChange(target.value)} />
      )
    case 'lines':
      return <Textarea {...common} rows={3} onChange={({ target }) => onChange(target.value)} />
    case 'choice':
      return (
        <Select
          value={value}
          options={(options ?? []).map((one) => ({
            value: one,
            label: t(`${labels}.${one}`, { defaultValue: one }),
          }))}
          onValueChange={onChange}
        />
      )
    case 'number':
      return <Input {...common} inputMode="numeric" onChange={({ target }) => onChange(target.value)} />
    case 'address':
      return <Input {...common} type="url" onChange={({ target }) => onChange(target.value)} />
    case 'text':
      return <Input {...common} onChange={({ target }) => onChange(target.value)} />
    default:
      return type satisfies never
  }
}
