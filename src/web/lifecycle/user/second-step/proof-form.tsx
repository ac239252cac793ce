import { useState } from 'react'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { isApiError } from '../../../platform/lib/api/api-error.ts'
import { useAction } from '../../../platform/lib/use-action.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Callout } from '../../../platform/ui/callout.tsx'
import { Field } from '../../../platform/ui/field.tsx'
import { PasswordInput } from '../../../platform/ui/input.tsx'

type ProofFormProps = {
  /** Text shown if it fails. */
  failed: string
  onProof: (body: { current_password?: string }) => Promise<void>
  onCancel: () => void
}

/** Asks for proof of identity before a sign-in setting changes. */
export function ProofForm({ failed, onProof, onCancel }: ProofFormProps) {
  const { t } = useTranslation('common')
  const [password, setPassword] = useState('')
  const proving = useAction(() => onProof(password ? { current_password: password } : {}))
  const { error } = proving
  const wrong = isApiError(error) && error.fields.find(({ path }) => path === 'current_password')?.message
  return (
    <form
      noValidate
      className="grid gap-3.5"
      onSubmit={(event) => {
        event.preventDefault()
        void proving.run()
      }}
    >
      <Field
        label={t('user.two_step.password')}
        hint={t('user.two_step.password_hint')}
        error={wrong || undefined}
      >
        <PasswordInput
          autoFocus
          autoComplete="current-password"
          maxLength={256}
          value={password}
          onChange={({ target }) => setPassword(target.value)}
        />
      </Field>
      {error !== null && !wrong && (
        <Callout tone="danger" title={failed}>
          {errorText(t, error)}
        </Callout>
      )}
      <div className="flex gap-2">
        <Button type="submit" variant="primary" busy={proving.isPending}>
          {t('user.two_step.go_on')}
        </Button>
        <Button variant="ghost" onClick={onCancel}>
          {t('user.two_step.cancel')}
        </Button>
      </div>
    </form>
  )
}
