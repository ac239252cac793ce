import { useTranslation } from '../../platform/i18n/i18n.ts'
import { isApiError } from '../../platform/lib/api/api-error.ts'
import { Field } from '../../platform/ui/field.tsx'
import { Input } from '../../platform/ui/input.tsx'

type CodeFieldProps = {
  isRecovery?: boolean
  value: string
  onChange: (code: string) => void
  /** Error of the last attempt. */
  error: unknown
}

/** Input for an authenticator code or a recovery code. */
export function CodeField({ isRecovery = false, value, onChange, error }: CodeFieldProps) {
  const { t } = useTranslation('login')
  return (
    <Field
      label={t(isRecovery ? 'second_step.recovery' : 'second_step.app')}
      hint={t(isRecovery ? 'second_step.recovery_hint' : 'second_step.app_hint')}
      error={useProblem(error)}
    >
      <Input
        size="lg"
        required
        autoFocus
        name="code"
        autoComplete="one-time-code"
        autoCapitalize="off"
        spellCheck={false}
        inputMode={isRecovery ? 'text' : 'numeric'}
        maxLength={40}
        className="font-mono"
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    </Field>
  )
}

function useProblem(error: unknown): string | undefined {
  const { t } = useTranslation('login')
  if (error === null || error === undefined) return undefined
  if (isApiError(error, 429)) return t('errors.wait', { count: Math.max(1, error.retryAfterSeconds ?? 60) })
  if (isApiError(error, 422)) return t('second_step.wrong')
  return t(isApiError(error, 400) ? 'second_step.too_late' : 'second_step.failed')
}
