import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { changePassword } from '#shared/identity/accounts/own-account.ts'
import { PasswordRulesList, usePasswordRules } from '../../identity/passwords/passwords.tsx'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { isApiError } from '../../platform/lib/api/api-error.ts'
import { call } from '../../platform/lib/api/call.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { Field } from '../../platform/ui/field.tsx'
import { PasswordInput } from '../../platform/ui/input.tsx'
import { toast } from '../../platform/ui/toasts/toasts.ts'
import { checkPasswords, type PasswordDraft, type PasswordProblems } from './password-rules.ts'

const empty: PasswordDraft = { current: '', next: '', again: '' }

/** Changes the password, or sets the first one of an account that uses sign-on. */
export function PasswordForm({ hasPassword, onChanged }: { hasPassword: boolean; onChanged: () => void }) {
  const { t } = useTranslation('common')
  const form = useRef<HTMLFormElement>(null)
  const [draft, setDraft] = useState(empty)
  const [isChecked, setChecked] = useState(false)
  const rules = usePasswordRules()
  const problems = isChecked ? checkPasswords(draft, { hasPassword, rules }) : {}
  const change = useMutation({
    mutationFn: () =>
      call(changePassword, {
        body: { ...(hasPassword ? { current_password: draft.current } : {}), new_password: draft.next },
      }),
    onSuccess: () => {
      setDraft(empty)
      setChecked(false)
      toast.success(t('user.password.changed'))
      onChanged()
    },
  })
  const wrongCurrent = currentProblemOf(change.error)
  const textOf = (field: keyof PasswordProblems) => {
    const problem = problems[field]
    if (!problem) return undefined
    return problem.startsWith('password_') ? t(`errors.${problem}`) : t(`user.password.${problem}`)
  }
  const set = (field: keyof PasswordDraft) => (event: { target: { value: string } }) => {
    change.reset()
    setDraft({ ...draft, [field]: event.target.value })
  }
  const submit = () => {
    setChecked(true)
    const wrong = Object.keys(checkPasswords(draft, { hasPassword, rules }))[0]
    if (wrong) form.current?.querySelector<HTMLInputElement>(`[name="${wrong}"]`)?.focus()
    else change.mutate()
  }
  return (
    <form
      ref={form}
      noValidate
      className="grid max-w-90 justify-items-start gap-3.5 [&>*]:w-full [&>button]:w-auto"
      onSubmit={(event) => {
        event.preventDefault()
        if (!change.isPending) submit()
      }}
    >
      {hasPassword && (
        <Field label={t('user.password.current')} error={textOf('current') ?? wrongCurrent}>
          <PasswordInput
            name="current"
            autoComplete="current-password"
            value={draft.current}
            onChange={set('current')}
          />
        </Field>
      )}
      <Field label={t('user.password.next')} error={textOf('next')}>
        <PasswordInput name="next" autoComplete="new-password" value={draft.next} onChange={set('next')} />
      </Field>
      <PasswordRulesList
        rules={rules}
        password={draft.next}
        refused={problems.next ?? (isApiError(change.error) ? change.error.code : null)}
      />
      <Field label={t('user.password.again')} error={textOf('again')}>
        <PasswordInput
          name="again"
          autoComplete="new-password"
          placeholder={t('user.password.again_placeholder')}
          value={draft.again}
          onChange={set('again')}
        />
      </Field>
      {change.isError && !wrongCurrent && (
        <Callout tone="danger" title={t('user.password.failed')}>
          {errorText(t, change.error)}
        </Callout>
      )}
      <Button type="submit" variant="primary" busy={change.isPending}>
        {t(hasPassword ? 'user.password.change' : 'user.password.set')}
      </Button>
    </form>
  )
}

/** Returns the server's error about the current password; null for any other error. */
function currentProblemOf(error: Error | null): string | undefined {
  if (!isApiError(error)) return undefined
  return error.fields.find(({ path }) => path === 'current_password')?.message
}
