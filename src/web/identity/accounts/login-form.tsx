import { Link } from '@tanstack/react-router'
import { type FormEvent, lazy, Suspense, useRef, useState } from 'react'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { isApiError } from '../../platform/lib/api/api-error.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { Field } from '../../platform/ui/field.tsx'
import { Input, PasswordInput } from '../../platform/ui/input.tsx'
import { loginProblem, waitSeconds } from './login-errors.ts'

const ResendVerification = lazy(() =>
  import('./resend-verification.tsx').then((file) => ({ default: file.ResendVerification })),
)

type Props = {
  /** `reconnect`: shown in the session-expired popup, for the previous user. */
  mode?: 'login' | 'reconnect'
  username?: string
  /** Signs in. The form shows any error it throws. */
  onSubmit: (username: string, password: string) => Promise<void>
}

/** Username and password form. Shows errors above the fields and preserves the typed values. */
export function LoginForm({ mode = 'login', username = '', onSubmit }: Props) {
  const { t } = useTranslation('login')
  const [name, setName] = useState(username)
  const [password, setPassword] = useState('')
  const [failure, setFailure] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const passwordField = useRef<HTMLInputElement>(null)

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (isBusy) return
    setBusy(true)
    setFailure(null)
    try {
      await onSubmit(name.trim(), password)
    } catch (error) {
      setFailure(error ?? new Error())
      passwordField.current?.select()
    } finally {
      setBusy(false)
    }
  }

  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      {failure !== null && <LoginFailure failure={failure} name={name} />}
      <Field label={t('username_or_email')}>
        <Input
          size="lg"
          required
          name="username"
          autoComplete="username"
          autoCapitalize="off"
          spellCheck={false}
          maxLength={254}
          autoFocus={!username}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      </Field>
      <Field label={t('password')} aside={mode === 'login' && <ForgotLink />}>
        <PasswordInput
          ref={passwordField}
          size="lg"
          required
          name="password"
          autoComplete="current-password"
          maxLength={256}
          autoFocus={Boolean(username)}
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
      </Field>
      <Button type="submit" variant="primary" size="lg" wide busy={isBusy}>
        {mode === 'login' ? t('log_in') : t('common:session_expired.reconnect')}
      </Button>
    </form>
  )
}

function ForgotLink() {
  const { t } = useTranslation('login')
  return (
    <Link to="/login/forgot-password" className="rounded-tag text-accent hover:underline">
      {t('forgot_link')}
    </Link>
  )
}

function LoginFailure({ failure, name }: { failure: unknown; name: string }) {
  const { t } = useTranslation('login')
  const problem = loginProblem(failure)
  const seconds = waitSeconds(failure)
  return (
    <Callout tone="danger" title={t(`errors.${problem}`)}>
      {seconds > 0 && t('errors.wait', { count: seconds })}
      {isApiError(failure, 503) && errorText(t, failure)}
      {problem === 'email_not_verified' && (
        <Suspense fallback={null}>
          <ResendVerification email={name.includes('@') ? name : ''} />
        </Suspense>
      )}
    </Callout>
  )
}
