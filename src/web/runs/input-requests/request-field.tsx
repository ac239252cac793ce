import type { InputField } from '#shared/runs/runs/request.ts'
import { type TFunction, useTranslation } from '../../platform/i18n/i18n.ts'
import { Field } from '../../platform/ui/field.tsx'
import type { Problem } from './answer-draft.ts'
import { FieldControl, type FieldLook } from './field-control.tsx'
import { type DraftControl, filesOf } from './use-draft.ts'

type RequestFieldProps = FieldLook & {
  field: InputField
  control: DraftControl
  problem: Problem | undefined
  /** The server's error for it. */
  refusal?: string | undefined
}

/** One field of a request or a prompt, with its control. */
export function RequestField({ field, control, problem, refusal, ...look }: RequestFieldProps) {
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
      <FieldControl {...{ field, control, label }} {...look} />
    </Field>
  )
}

function problemText(t: TFunction, problem: Problem): string {
  if (problem.kind !== 'json') return t(`input.problems.${problem.kind}`)
  return problem.line === null
    ? t('input.problems.json')
    : t('input.problems.json_line', { line: problem.line })
}
