import { Link, useNavigate } from '@tanstack/react-router'
import type { TFunction } from 'i18next'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { Field } from '../../platform/ui/field.tsx'
import { Input, PasswordInput } from '../../platform/ui/input.tsx'
import { PasswordRulesList } from '../passwords/passwords.tsx'
import { SecondStepPage } from './second-step-page.tsx'
import { type Invited, type SignUpFields, useSignUp } from './use-sign-up.ts'

/** Form for a new account. Asks for the setup code when the server requires one. */
export function SignUpForm({ askSetupCode, invited }: { askSetupCode: boolean; invited?: Invited }) {
  const { t } = useTranslation('login')
  const navigate = useNavigate()
  const form = useSignUp({
    askSetupCode,
    invited,
    onDone: ({ message, email, verificationRequired }) =>
      navigate({ to: '/login/check-email', state: { message, email, verificationRequired } }),
  })
  const bind = (name: keyof SignUpFields) => ({
    size: 'lg' as const,
    name,
    value: form.values[name],
    onChange: (event: { target: { value: string } }) => form.set(name, event.target.value),
  })
  if (form.step) return <SecondStepPage step={form.step} onRestart={() => void navigate({ to: '/login' })} />
  return (
    <form noValidate onSubmit={form.submit} className="flex flex-col gap-3.5">
      {form.failure && (
        <Callout tone="danger" title={t(`errors.${form.failure}`)}>
          {form.waitSeconds > 0 && t('errors.wait', { count: form.waitSeconds })}
        </Callout>
      )}
      <Field label={t('full_name')} optional>
        <Input {...bind('full_name')} autoComplete="name" maxLength={200} autoFocus />
      </Field>
      <Field
        label={t('username')}
        error={form.errors.username && <TakenError error={form.errors.username} />}
      >
        <Input
          {...bind('username')}
          required
          autoComplete="username"
          autoCapitalize="off"
          spellCheck={false}
          maxLength={64}
        />
      </Field>
      <Field label={t('email')} error={form.errors.email && <TakenError error={form.errors.email} />}>
        <Input
          {...bind('email')}
          required
          readOnly={Boolean(invited?.email)}
          type="email"
          autoComplete="email"
          maxLength={254}
        />
      </Field>
      <div className="grid items-start gap-x-3 gap-y-3.5 lg:grid-cols-2">
        <Field label={t('password')} error={form.errors.password && passwordText(t, form.errors.password)}>
          <PasswordInput {...bind('password')} required autoComplete="new-password" maxLength={256} />
        </Field>
        <Field
          label={t('confirm_password')}
          error={form.errors.confirmation && t(`errors.${form.errors.confirmation}`)}
        >
          <PasswordInput {...bind('confirmation')} required autoComplete="new-password" maxLength={256} />
        </Field>
      </div>
      <PasswordRulesList rules={form.rules} password={form.values.password} refused={form.errors.password} />
      {form.needsSetupCode && (
        <Field
          label={t('setup_code')}
          hint={t('setup_code_hint')}
          error={form.errors.setup_code && t(`errors.${form.errors.setup_code}`)}
        >
          <Input
            {...bind('setup_code')}
            required
            autoComplete="one-time-code"
            autoCapitalize="off"
            spellCheck={false}
            maxLength={64}
            className="font-mono"
          />
        </Field>
      )}
      <Button type="submit" variant="primary" size="lg" wide busy={form.isBusy} className="mt-1">
        {t('create_account')}
      </Button>
    </form>
  )
}

function passwordText(t: TFunction<'login'>, error: string) {
  return error.startsWith('password_') ? t(`common:errors.${error}`) : t(`errors.${error}`)
}

function TakenError({ error }: { error: string }) {
  const { t } = useTranslation('login')
  return (
    <>
      {t(`errors.${error}`)}{' '}
      {error.endsWith('_taken') && (
        <Link to="/login" className="text-accent underline">
          {t('log_in_instead')}
        </Link>
      )}
    </>
  )
}
