import type { ReactNode } from 'react'
import type { InputField } from '#shared/runs/runs/request.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Input, Textarea } from '../../platform/ui/input.tsx'
import { Select } from '../../platform/ui/select.tsx'
import { Choice } from './choice.tsx'
import { FileInput } from './file-input.tsx'
import { type DraftControl, filesOf } from './use-draft.ts'

/** Maximum answers of a choice that stand side by side. */
const MAX_SEGMENTS = 3
const MAX_SEGMENT_CHARACTERS = 40

export type FieldLook = {
  /** A text takes one line. */
  isCompact?: boolean
  /** Renders the choice of a document from the library; without it, documents are uploaded. */
  renderDocument?: (field: InputField, label: string) => ReactNode
}

type Props = FieldLook & { field: InputField; control: DraftControl; label: string }

/** The control of one field, by its type. */
export function FieldControl(props: Props) {
  const { field, control, label } = props
  switch (field.type) {
    case 'text':
    case 'long_text':
    case 'json':
    case 'number':
    case 'date':
      return <TypedControl {...props} />
    case 'boolean':
    case 'choice':
      return <ChoiceControl {...props} />
    default:
      if (field.type === 'document' && props.renderDocument) return props.renderDocument(field, label)
      return (
        <FileInput
          type={field.type}
          label={label}
          files={filesOf(control.draft[field.name])}
          onAdd={(files) => control.add(field, files)}
          onRemove={(key) => control.remove(field.name, key)}
          onCorrect={(key, transcript) => control.correct(field.name, key, transcript)}
        />
      )
  }
}

function TypedControl({ field: { name, type }, control: { draft, set }, isCompact }: Props) {
  const value = draft[name]
  const shared = {
    value: typeof value === 'string' ? value : '',
    onChange: ({ target }: { target: { value: string } }) => set(name, target.value),
  }
  if (type === 'number') return <Input {...shared} inputMode="decimal" className="max-md:text-16" />
  if (type === 'date') return <Input {...shared} type="date" className="w-fit! max-md:text-16" />
  if (type === 'text' && isCompact) return <Input {...shared} className="max-md:text-16" />
  const look = type === 'json' ? 'font-mono !text-13' : ''
  return (
    <Textarea
      {...shared}
      spellCheck={type !== 'json'}
      className={`max-h-60 max-md:text-16 ${look} !min-h-14`}
    />
  )
}

function ChoiceControl({ field: { name, type, options = [] }, control: { draft, set }, label }: Props) {
  const { t } = useTranslation('streaming_blocks')
  const value = draft[name]
  if (type === 'boolean') {
    const answers = [
      { value: true, label: t('input.yes') },
      { value: false, label: t('input.no') },
    ]
    const given = typeof value === 'boolean' ? value : null
    return <Choice name={label} options={answers} value={given} onChange={(next) => set(name, next)} />
  }
  const answers = options.map((option) => ({ value: option, label: option }))
  const given = typeof value === 'string' && options.includes(value) ? value : null
  if (options.length <= MAX_SEGMENTS && options.join('').length <= MAX_SEGMENT_CHARACTERS)
    return <Choice name={label} options={answers} value={given} onChange={(next) => set(name, next)} />
  return (
    <Select
      value={given ?? ''}
      options={[{ value: '', label: t('input.choose') }, ...answers]}
      onValueChange={(next) => set(name, next)}
    />
  )
}
