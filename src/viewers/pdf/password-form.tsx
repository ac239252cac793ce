import { Lock } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { Button } from '../../web/platform/ui/button.tsx'
import { useTranslation } from '../../web/platform/ui/card-parts.ts'
import { Field } from '../../web/platform/ui/field.tsx'
import { PasswordInput } from '../../web/platform/ui/input.tsx'
import { EmptyState } from '../../web/platform/ui/states/empty-state.tsx'

type PasswordFormProps = {
  /** The previous password was wrong. */
  isWrong: boolean
  onPassword: (password: string) => void
}

/** Asks for the password of a PDF. It is used in this page only, and stored nowhere. */
export function PasswordForm({ isWrong, onPassword }: PasswordFormProps) {
  const { t } = useTranslation('documents')
  const [password, setPassword] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (password !== '') onPassword(password)
  }
  return (
    <EmptyState page icon={<Lock aria-hidden />} title={t('viewer.password.title')}>
      <p>{t('viewer.password.text')}</p>
      <form onSubmit={submit} className="mx-auto mt-4 grid w-72 max-w-full gap-3 text-start">
        <Field label={t('viewer.password.label')} error={isWrong ? t('viewer.password.wrong') : undefined}>
          <PasswordInput
            autoComplete="off"
            value={password}
            onChange={({ target }) => setPassword(target.value)}
          />
        </Field>
        <Button type="submit" variant="primary" disabled={password === ''}>
          {t('viewer.password.open')}
        </Button>
      </form>
    </EmptyState>
  )
}
