import { useState } from 'react'
import type { ErasureBegun, SharedOnes } from '#shared/lifecycle/erasure/erasure.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { isApiError } from '../../platform/lib/api/api-error.ts'
import { useAction } from '../../platform/lib/use-action.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { Field } from '../../platform/ui/field.tsx'
import { Input, PasswordInput } from '../../platform/ui/input.tsx'
import { HeirChoice } from './heir-choice.tsx'

type ConfirmFormProps = {
  /** Email address to type as confirmation. */
  email: string
  of: 'account' | 'person'
  /** Things other users depend on; undefined while loading. */
  shared: SharedOnes | undefined
  onConfirm: (body: { email: string; current_password?: string; heir_id?: string }) => Promise<ErasureBegun>
  onBegun: (begun: ErasureBegun) => void
  onCancel: () => void
}

/** Last step before an account is deleted: asks for its email address and for proof of identity. */
export function ConfirmForm({ email, of, shared, onConfirm, onBegun, onCancel }: ConfirmFormProps) {
  const { t } = useTranslation('erasure')
  const [typed, setTyped] = useState('')
  const [password, setPassword] = useState('')
  const [heirId, setHeirId] = useState('')
  const isSame = typed.trim().toLowerCase() === email.toLowerCase()
  const body = {
    email: typed.trim(),
    ...(password ? { current_password: password } : {}),
    ...(heirId ? { heir_id: heirId } : {}),
  }
  const { run, isPending, error } = useAction(() => onConfirm(body), onBegun)
  const problemAt = (path: string) =>
    isApiError(error) ? error.fields.find((field) => field.path === path)?.message : undefined
  const isAtField = problemAt('email') ?? problemAt('current_password')
  return (
    <form
      noValidate
      className="grid gap-3.5"
      onSubmit={(event) => {
        event.preventDefault()
        if (isSame && shared) void run()
      }}
    >
      {shared && <HeirChoice shared={shared} value={heirId} onChange={setHeirId} />}
      <Field label={t(`confirm.${of}.email`, { email })} error={problemAt('email')}>
        <Input
          type="email"
          autoComplete="off"
          maxLength={320}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      </Field>
      <Field
        label={t(`confirm.${of}.password`)}
        hint={t('account.password_hint')}
        error={problemAt('current_password')}
      >
        <PasswordInput
          autoComplete="current-password"
          maxLength={256}
          value={password}
          onChange={({ target }) => setPassword(target.value)}
        />
      </Field>
      {error !== null && !isAtField && (
        <Callout tone="danger" title={t('account.failed')}>
          {errorText(t, error)}
        </Callout>
      )}
      <div className="flex gap-2">
        <Button type="submit" variant="danger" busy={isPending} disabled={!isSame || !shared}>
          {t(`confirm.${of}.delete`)}
        </Button>
        <Button variant="ghost" onClick={onCancel}>
          {t('account.cancel')}
        </Button>
      </div>
    </form>
  )
}
