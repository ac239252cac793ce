import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, useCallback, useState } from 'react'
import { resetPassword } from '#shared/identity/accounts/accounts.ts'
import { passwordFailures } from '#shared/identity/accounts/password-strength.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { isApiError } from '../../platform/lib/api/api-error.ts'
import { call } from '../../platform/lib/api/call.ts'
import { useAction } from '../../platform/lib/use-action.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { Field } from '../../platform/ui/field.tsx'
import { PasswordInput } from '../../platform/ui/input.tsx'
import {
  checkPassword,
  type PasswordProblems,
  PasswordRulesList,
  usePasswordRules,
} from '../passwords/passwords.tsx'
import { Heading, textLink } from './heading.tsx'
import { resetProblem } from './login-errors.ts'
import { useRedirect } from './use-redirect.ts'

export const REDIRECT_SECONDS = 3

/** Form for a new password, authorised by the token of a mailed link. */
export function ResetPage() {
  const { t } = useTranslation('login')
  const { token } = useSearch({ strict: false }) as { token?: string }
  return (
    <>
      <Heading title={t('reset')}>{t('reset_hint')}</Heading>
      {token ? <ResetForm token={token} /> : <Callout tone="danger">{t('errors.token_missing')}</Callout>}
      <p className="mt-6 text-center text-13 text-ink-2">
        {t('link_expired')}{' '}
        <Link to="/login/forgot-password" className={textLink}>
          {t('new_link')}
        </Link>
      </p>
    </>
  )
}

function ResetForm({ token }: { token: string }) {
  const { t } = useTranslation('login')
  const navigate = useNavigate()
  const rules = usePasswordRules()
  const [password, setPassword] = useState('')
  const [confirmation, setConfirmation] = useState('')
  const [problems, setProblems] = useState<PasswordProblems>({})
  const reset = useAction(() => call(resetPassword, { body: { token, new_password: password } }))
  const goToLogin = useCallback(() => void navigate({ to: '/login' }), [navigate])
  const left = useRedirect(reset.data !== undefined, REDIRECT_SECONDS, goToLogin)

  function submit(event: FormEvent) {
    event.preventDefault()
    const found = checkPassword(password, confirmation, rules)
    setProblems(found)
    if (!found.password && !found.confirmation) void reset.run()
  }

  const code = isApiError(reset.error) ? reset.error.code : null
  const refused = passwordFailures.find((one) => one === code)
  if (reset.data)
    return (
      <Callout tone="success" title={reset.data.message}>
        {t('redirect_in', { count: left })}
      </Callout>
    )
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      {reset.error !== null && (
        <Callout tone="danger">
          {refused ? t(`common:errors.${refused}`) : t(`errors.${resetProblem(reset.error)}`)}
        </Callout>
      )}
      <Field label={t('new_password')} error={problems.password && t(`common:errors.${problems.password}`)}>
        <PasswordInput
          size="lg"
          name="password"
          autoComplete="new-password"
          maxLength={256}
          autoFocus
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
      </Field>
      <PasswordRulesList rules={rules} password={password} refused={problems.password ?? refused} />
      <Field
        label={t('confirm_new_password')}
        error={problems.confirmation && t(`errors.${problems.confirmation}`)}
      >
        <PasswordInput
          size="lg"
          name="confirmation"
          autoComplete="new-password"
          maxLength={256}
          value={confirmation}
          onChange={(event) => setConfirmation(event.target.value)}
        />
      </Field>
      <Button type="submit" variant="primary" size="lg" wide busy={reset.isPending}>
        {t('save_password')}
      </Button>
      <Callout>{t('reset_then')}</Callout>
    </form>
  )
}
