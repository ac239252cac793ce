import { Link } from '@tanstack/react-router'
import { ArrowLeft, RotateCcw } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { requestPasswordReset } from '#shared/identity/accounts/accounts.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { useAction } from '../../platform/lib/use-action.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { Field } from '../../platform/ui/field.tsx'
import { Input } from '../../platform/ui/input.tsx'
import { Heading } from './heading.tsx'
import { waitSeconds } from './login-errors.ts'
import { useSignInOptions } from './sign-in.ts'

/** Form that requests a password reset link by mail. */
export function ForgotPage() {
  const { t } = useTranslation('login')
  const [email, setEmail] = useState('')
  const sendsMail = useSignInOptions()?.sends_mail ?? true
  const request = useAction(() => call(requestPasswordReset, { body: { email: email.trim() } }))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void request.run()
  }
  const hasFailed = request.error !== null
  const seconds = waitSeconds(request.error)
  return (
    <>
      <Link
        to="/login"
        className="mb-5 flex items-center gap-1.5 rounded-tag text-13 text-ink-2 hover:text-ink"
      >
        <ArrowLeft aria-hidden className="icon-14" />
        {t('back_to_login')}
      </Link>
      <Heading title={t('forgot')}>{t(sendsMail ? 'forgot_hint' : 'forgot_no_mail')}</Heading>
      <form onSubmit={submit} className="flex flex-col gap-4">
        {hasFailed && (
          <Callout tone="danger" title={t('errors.forgot_failed')}>
            {seconds > 0 ? t('errors.wait', { count: seconds }) : t('errors.password_unchanged')}
          </Callout>
        )}
        {request.data && (
          <Callout tone="success">{sendsMail ? request.data.message : t('forgot_ask_admin')}</Callout>
        )}
        <Field label={t('email')}>
          <Input
            size="lg"
            required
            type="email"
            name="email"
            autoComplete="email"
            maxLength={254}
            autoFocus
            value={email}
            onChange={(event) => setEmail(event.target.value)}
          />
        </Field>
        <Button
          type="submit"
          variant="primary"
          size="lg"
          wide
          busy={request.isPending}
          icon={hasFailed && <RotateCcw aria-hidden className="icon" />}
        >
          {t(
            hasFailed
              ? 'common:actions.retry'
              : sendsMail
                ? request.data
                  ? 'resend'
                  : 'send_link'
                : 'ask_link',
          )}
        </Button>
      </form>
    </>
  )
}
