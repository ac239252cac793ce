import { Plus, Trash2 } from 'lucide-react'
import { type InputPlace, MAX_INPUTS_PER_CALL } from '#shared/tools/own-tools/http-call.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Checkbox } from '../../../platform/ui/checkbox.tsx'
import { IconButton } from '../../../platform/ui/icon-button.tsx'
import { Input } from '../../../platform/ui/input.tsx'
import { Select } from '../../../platform/ui/select.tsx'
import { type DraftInput, inputTypes, newInput, schemaOf, typeOf } from './draft.ts'

type InputRowsProps = { inputs: DraftInput[]; hasBody: boolean; onChange: (inputs: DraftInput[]) => void }

/** Inputs of a call: the description for the model, and where each is sent. */
export function InputRows({ inputs, hasBody, onChange }: InputRowsProps) {
  const { t } = useTranslation('own_tools')
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 text-13 font-medium">{t('inputs.title')}</legend>
      <div className="rounded-card border border-line">
        {inputs.map((input, at) => (
          <InputRow
            key={input.row}
            input={input}
            hasBody={hasBody}
            onChange={(patch) => onChange(inputs.map((one, n) => (n === at ? { ...one, ...patch } : one)))}
            onRemove={() => onChange(inputs.filter((_, n) => n !== at))}
          />
        ))}
        <Button
          variant="ghost"
          disabled={inputs.length >= MAX_INPUTS_PER_CALL}
          icon={<Plus aria-hidden className="icon-14" />}
          onClick={() => onChange([...inputs, newInput()])}
        >
          {t('inputs.add')}
        </Button>
      </div>
    </fieldset>
  )
}

type InputRowProps = {
  input: DraftInput
  hasBody: boolean
  onChange: (patch: Partial<DraftInput>) => void
  onRemove: () => void
}

function InputRow({ input, hasBody, onChange, onRemove }: InputRowProps) {
  const { t } = useTranslation('own_tools')
  const { name, place, description, required, schema } = input
  const type = typeOf(input)
  const places: InputPlace[] = [
    'path',
    'query',
    'header',
    'cookie',
    ...(hasBody || place === 'body' ? (['body'] as const) : []),
  ]
  return (
    <fieldset aria-label={name || t('inputs.unnamed')} className="grid gap-2 border-b border-line p-3">
      <div className="grid gap-2 md:grid-cols-3">
        <Input
          aria-label={t('inputs.name')}
          placeholder={t('inputs.name')}
          value={name}
          maxLength={64}
          spellCheck={false}
          className="font-mono"
          onChange={({ target }) => onChange({ name: target.value })}
        />
        <Select
          aria-label={t('inputs.type')}
          value={type}
          onValueChange={(value) =>
            onChange({ schema: schemaOf(inputTypes.find((one) => one === value) ?? 'string', schema) })
          }
          options={inputTypes
            .filter((one) => one !== 'other' || type === 'other')
            .map((value) => ({ value, label: t(`types.${value}`) }))}
        />
        <Select
          aria-label={t('inputs.place')}
          value={place}
          onValueChange={(value) => onChange({ place: places.find((one) => one === value) ?? 'query' })}
          options={places.map((value) => ({ value, label: t(`places.${value}`) }))}
        />
      </div>
      {type === 'choice' && (
        <Input
          aria-label={t('inputs.choices')}
          placeholder={t('inputs.choices')}
          defaultValue={(schema.enum as unknown[]).map(String).join(', ')}
          onChange={({ target }) =>
            onChange({ schema: { ...schema, enum: target.value.split(',').map((one) => one.trim()) } })
          }
        />
      )}
      <div className="flex items-center gap-3">
        <Input
          aria-label={t('inputs.description')}
          placeholder={t('inputs.description')}
          value={description}
          maxLength={2_000}
          className="flex-1"
          onChange={({ target }) => onChange({ description: target.value })}
        />
        <Checkbox
          checked={required || place === 'path'}
          disabled={place === 'path'}
          label={<span className="text-13">{t('inputs.required')}</span>}
          onCheckedChange={(next) => onChange({ required: next })}
        />
        <IconButton name={t('inputs.remove', { name })} size="sm" onClick={onRemove}>
          <Trash2 aria-hidden className="icon-14" />
        </IconButton>
      </div>
    </fieldset>
  )
}
