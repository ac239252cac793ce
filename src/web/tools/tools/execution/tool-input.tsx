import type { Tool, ToolProperty } from '#shared/tools/tools/tools.ts'
import { DocumentChoice } from '../../../knowledge/documents/documents.ts'
import { WorkspaceChoice } from '../../../knowledge/workspaces/workspaces.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Field } from '../../../platform/ui/field.tsx'
import { Input, Textarea } from '../../../platform/ui/input.tsx'
import { Select } from '../../../platform/ui/select.tsx'
import { useToolTexts } from '../look/tool-texts.tsx'
import { type ChosenByName, idsIn, inputKind, isChosenByName, isLong } from './inputs.ts'

type ToolInputProps = {
  tool: Tool
  name: string
  property: ToolProperty
  value: string
  disabled: boolean
  error: string | undefined
  onChange: (value: string) => void
}

/** Form field for one input, chosen by its type. */
export function ToolInput({ tool, name, property, value, disabled, error, onChange }: ToolInputProps) {
  const { inputName, inputText } = useToolTexts(tool)
  const isOptional = !tool.input_schema.required?.includes(name)
  return (
    <Field
      label={inputName(name)}
      optional={isOptional}
      hint={inputText(name, property.description) || undefined}
      error={error}
    >
      <Control {...{ tool, name, property, value, disabled, onChange, isOptional }} />
    </Field>
  )
}

const choices: Record<ChosenByName, typeof DocumentChoice> = {
  document_ids: DocumentChoice,
  workspace_ids: WorkspaceChoice,
}

type ControlProps = Omit<ToolInputProps, 'error'> & { isOptional: boolean }

function Control({ tool, name, property, value, disabled, onChange, isOptional }: ControlProps) {
  const { t } = useTranslation('tools')
  const { optionName, inputName } = useToolTexts(tool)
  const kind = inputKind(property)
  if (kind === 'json' && isChosenByName(name)) {
    const Choice = choices[name]
    return (
      <Choice
        name={inputName(name)}
        ids={idsIn(value)}
        disabled={disabled}
        onChange={(ids) => onChange(ids.length > 0 ? JSON.stringify(ids) : '')}
      />
    )
  }
  if (kind === 'choice' || kind === 'boolean') {
    const values = kind === 'boolean' ? ['true', 'false'] : (property.enum ?? []).map(String)
    const options = values.map((choice) => ({
      value: choice,
      label: kind === 'boolean' ? t(`inputs.${choice}`) : optionName(name, choice),
    }))
    const empty = isOptional || kind === 'boolean' ? [{ value: '', label: t('inputs.unset') }] : []
    return (
      <Select
        size="lg"
        disabled={disabled}
        value={value}
        options={[...empty, ...options]}
        onValueChange={onChange}
      />
    )
  }
  if (kind === 'json')
    return (
      <Textarea
        disabled={disabled}
        value={value}
        className="font-mono text-12"
        onChange={({ target }) => onChange(target.value)}
      />
    )
  if (kind === 'text' && isLong(property))
    return <Textarea {...{ disabled, value, rows: 4 }} onChange={({ target }) => onChange(target.value)} />
  return (
    <Input
      size="lg"
      disabled={disabled}
      value={value}
      inputMode={kind === 'number' ? 'decimal' : 'text'}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}
