import { useTranslation } from '../../platform/i18n/i18n.ts'
import { nameOfInput, nameOfOption } from '../../platform/i18n/tool-words.ts'
import { Field } from '../../platform/ui/field.tsx'
import { Input, Textarea } from '../../platform/ui/input.tsx'
import { Select } from '../../platform/ui/select.tsx'
import type { Argument } from './tool-arguments.ts'
import type { ArgumentsControl } from './use-arguments.ts'

type ArgumentFieldsProps = {
  control: ArgumentsControl
  /** Returns the server's error for one argument. */
  refusalOf: (name: string) => string | undefined
}

/** The arguments of a call, editable one by one or as JSON. */
export function ArgumentFields({ control, refusalOf }: ArgumentFieldsProps) {
  const { t } = useTranslation(['streaming_blocks', 'tool_ui'])
  if (control.json !== null)
    return (
      <Field
        label={t('input.arguments')}
        error={control.jsonWrong ? t('input.problems.json') : (refusalOf('input') ?? undefined)}
      >
        <Textarea
          spellCheck={false}
          className="max-h-80 font-mono !text-13"
          value={control.json}
          onChange={(event) => control.setJson(event.target.value)}
        />
      </Field>
    )
  if (control.list.length === 0) return <p className="text-13 text-ink-3">{t('input.no_arguments')}</p>
  return control.list.map((one) => (
    <Field
      key={one.name}
      label={nameOfInput(t, control.toolId, one.name)}
      className="md:grid md:grid-cols-[120px_minmax(0,1fr)] md:items-start md:gap-x-3 [&>*:last-child:nth-child(3)]:col-start-2 [&_label]:font-regular [&_label]:text-ink-2 md:[&_label]:pt-1.5"
      error={control.isWrong(one.name) ? t('input.problems.json') : refusalOf(one.name)}
    >
      <ArgumentControl
        one={one}
        toolId={control.toolId}
        text={control.texts[one.name] ?? ''}
        onChange={(text) => control.set(one.name, text)}
      />
    </Field>
  ))
}

type ControlProps = { one: Argument; toolId: string; text: string; onChange: (text: string) => void }

function ArgumentControl({ one: { name, control, options }, toolId, text, onChange }: ControlProps) {
  const { t } = useTranslation(['streaming_blocks', 'tool_ui'])
  if (control === 'choice' || control === 'boolean') {
    const values = control === 'boolean' ? ['true', 'false'] : options
    const label = (value: string) =>
      control === 'boolean'
        ? t(value === 'true' ? 'input.yes' : 'input.no')
        : nameOfOption(t, toolId, name, value)
    return (
      <Select
        quiet
        value={text}
        options={values.map((value) => ({ value, label: label(value) }))}
        onValueChange={onChange}
      />
    )
  }
  if (control === 'area' || control === 'json')
    return (
      <Textarea
        quiet
        spellCheck={control === 'area'}
        className={`max-h-60 !min-h-14 max-md:text-16 ${control === 'json' ? 'font-mono !text-13' : ''}`}
        value={text}
        onChange={(event) => onChange(event.target.value)}
      />
    )
  return (
    <Input
      quiet
      inputMode={control === 'number' ? 'decimal' : 'text'}
      value={text}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}
