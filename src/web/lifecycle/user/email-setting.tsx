import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { User } from '#shared/identity/accounts/accounts.ts'
import { changeEmail } from '#shared/identity/accounts/own-account.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { type TFunction, useTranslation } from '../../platform/i18n/i18n.ts'
import { isApiError } from '../../platform/lib/api/api-error.ts'
import { call } from '../../platform/lib/api/call.ts'
import { refetchMe } from '../../platform/lib/me/me.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { Field } from '../../platform/ui/field.tsx'
import { Input, PasswordInput } from '../../platform/ui/input.tsx'
import { toast } from '../../platform/ui/toasts/toasts.ts'

/** Changes the user's email address: requires the password, and a mailed link where addresses are verified. */
export function EmailSetting({ user }: { user: User }) {
  const { t } = useTranslation('common')
  const [isOpen, setOpen] = useState(false)
  const [mailedTo, setMailedTo] = useState<string | null>(null)
  return (
    <div className="grid max-w-90 gap-3">
      <p className="flex flex-wrap items-center gap-3 text-14">
        <span className="min-w-0 [overflow-wrap:anywhere]">{user.email}</span>
        {!isOpen && (
          <Button size="sm" onClick={() => setOpen(true)}>
            {t('user.email.change')}
          </Button>
        )}
      </p>
      {mailedTo && <Callout tone="success">{t('user.email.mailed', { email: mailedTo })}</Callout>}
      {isOpen && (
        <EmailForm
          onDone={(mailed) => {
            setOpen(false)
            setMailedTo(mailed)
          }}
        />
      )}
    </div>
  )
}

/** `onDone` receives the address a link was mailed to, or null. */
function EmailForm({ onDone }: { onDone: (mailedTo: string | null) => void }) {
  const { t } = useTranslation('common')
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [isChecked, setChecked] = useState(false)
  const isMissing = !/^[^\s@]+@[^\s@]+$/.test(email.trim())
  const change = useMutation({
    mutationFn: () =>
      call(changeEmail, { body: { email: email.trim(), ...(password && { current_password: password }) } }),
    onSuccess: async ({ verification_required }) => {
      if (!verification_required) toast.success(t('user.email.changed'))
      onDone(verification_required ? email.trim() : null)
      await refetchMe()
    },
  })
  const problems = problemsOf(change.error, t)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setChecked(true)
    if (!isMissing && !change.isPending) change.mutate()
  }
  return (
    <form noValidate className="grid gap-3.5" onSubmit={submit}>
      <Field
        label={t('user.email.next')}
        error={isChecked && isMissing ? t('user.email.missing') : problems.email}
      >
        <Input
          type="email"
          autoComplete="email"
          autoFocus
          value={email}
          onChange={({ target }) => setEmail(target.value)}
        />
      </Field>
      <Field
        label={t('user.email.password')}
        hint={t('user.email.password_hint')}
        error={problems.current_password}
      >
        <PasswordInput
          autoComplete="current-password"
          value={password}
          onChange={({ target }) => setPassword(target.value)}
        />
      </Field>
      {problems.other && (
        <Callout tone="danger" title={t('user.email.failed')}>
          {problems.other}
        </Callout>
      )}
      <div className="flex gap-2">
        <Button type="submit" variant="primary" busy={change.isPending}>
          {t('user.email.save')}
        </Button>
        <Button variant="ghost" onClick={() => onDone(null)}>
          {t('user.email.cancel')}
        </Button>
      </div>
    </form>
  )
}

type Problems = {
  email?: string | undefined
  current_password?: string | undefined
  other?: string | undefined
}

/** Assigns the server's error to the field it belongs to. */
function problemsOf(error: Error | null, t: TFunction): Problems {
  if (!error) return {}
  if (!isApiError(error)) return { other: errorText(t, error) }
  if (error.code === 'email_taken') return { email: t('user.email.taken') }
  const messageOf = (name: string) => error.fields.find(({ path }) => path === name)?.message
  const fields = { email: messageOf('email'), current_password: messageOf('current_password') }
  return fields.email || fields.current_password ? fields : { other: errorText(t, error) }
}
