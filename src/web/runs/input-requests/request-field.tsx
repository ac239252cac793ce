import type { InputField } from '#shared/runs/runs/request.ts'
import { type TFunction, useTranslation } from '../../platform/i18n/i18n.ts'
import { Field } from '../../platform/ui/field.tsx'
import { Textarea } from '../../platform/ui/input.tsx'
import type { Problem } from './answer-draft.ts'
import { Choice } from './choice.tsx'
import { FileInput } from './file-input.tsx'
import { type DraftControl, filesOf } from './use-draft.ts'

type RequestFieldProps = {
  field: InputField
  control: DraftControl
  problem: Problem | undefined
  /** The server's error for it. */
  refusal: string | undefined
}

/** One field of a request, with its control. */
export function RequestField({ field, control, problem, refusal }: RequestFieldProps) {
  const { t } = useTranslation('streaming_blocks')
  const { type, name, required } = field
  const label = field.label || t(`input.types.${type}`)
  const error = problem ? problemText(t, problem) : refusal
  return (
    <Field
      label={
        <>
          {label}
          {type === 'json' && field.label && (
            <span className="font-regular text-ink-3"> {t('input.types.json')}</span>
          )}
          {required && <span className="font-regular text-ink-3"> {t('input.required')}</span>}
        </>
      }
      hint={filesOf(control.draft[name]).find(({ state, reason }) => state === 'uploaded' && reason)?.reason}
      error={error}
    >
      <Control field={field} control={control} label={label} />
    </Field>
  )
}

type ControlProps = { field: InputField; control: DraftControl; label: string }

function Control({ field, control: { draft, set, add, remove, correct }, label }: ControlProps) {
  const { t } = useTranslation('streaming_blocks')
  const { name, type } = field
  const value = draft[name]
  if (type === 'boolean')
    return (
      <Choice
        name={label}
        options={[
          { value: true, label: t('input.yes') },
          { value: false, label: t('input.no') },
        ]}
        value={typeof value === 'boolean' ? value : null}
        onChange={(next) => set(name, next)}
      />
    )
  if (type === 'text' || type === 'json')
    return (
      <Textarea
        value={typeof value === 'string' ? value : ''}
        spellCheck={type === 'text'}
        className={`max-h-60 max-md:text-16 ${type === 'json' ? 'font-mono !text-13' : ''} !min-h-14`}
        onChange={(event) => set(name, event.target.value)}
      />
    )
  return (
    <FileInput
      type={type}
      label={label}
      files={filesOf(value)}
      onAdd={(files) => add(field, files)}
      onRemove={(key) => remove(name, key)}
      onCorrect={(key, transcript) => correct(name, key, transcript)}
    />
  )
}

function problemText(t: TFunction, problem: Problem): string {
  if (problem.kind !== 'json') return t(`input.problems.${problem.kind}`)
  return problem.line === null
    ? t('input.problems.json')
    : t('input.problems.json_line', { line: problem.line })
}
