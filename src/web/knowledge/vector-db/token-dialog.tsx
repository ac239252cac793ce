import { type FormEvent, useId, useState } from 'react'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { setToken } from '../../platform/lib/me/token.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Field } from '../../platform/ui/field.tsx'
import { PasswordInput } from '../../platform/ui/input.tsx'
import { Dialog } from '../../platform/ui/overlays/dialog.tsx'
import { readAgain } from './use-vector-db.ts'

/** Asks for another token and uses it from then on. */
export function TokenDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { t } = useTranslation('vectors')
  const [token, setDraft] = useState('')
  const form = useId()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setToken(token.trim())
    setDraft('')
    onClose()
    void readAgain()
  }
  return (
    <Dialog
      open={isOpen}
      onOpenChange={(open) => !open && onClose()}
      title={t('token.update')}
      description={t('token.about')}
      footer={
        <>
          <Button onClick={onClose}>{t('common:actions.cancel')}</Button>
          <Button variant="primary" type="submit" form={form} disabled={token.trim() === ''}>
            {t('token.use')}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={submit} className="mt-3">
        <Field label={t('token.label')}>
          <PasswordInput
            autoComplete="off"
            value={token}
            onChange={(event) => setDraft(event.target.value)}
          />
        </Field>
      </form>
    </Dialog>
  )
}
