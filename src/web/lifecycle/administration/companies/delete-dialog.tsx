import { useState } from 'react'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Callout } from '../../../platform/ui/callout.tsx'
import { Field } from '../../../platform/ui/field.tsx'
import { Input } from '../../../platform/ui/input.tsx'
import { Dialog } from '../../../platform/ui/overlays/dialog.tsx'
import { Consequences } from './consequences.tsx'
import { useEndCompany } from './use-companies.ts'

type DeleteDialogProps = { company: { id: string; name: string }; onClose: () => void }

/** Shows what a deletion takes and asks for the company's name. */
export function DeleteDialog({ company, onClose }: DeleteDialogProps) {
  const { t } = useTranslation('companies')
  const [typed, setTyped] = useState('')
  const deleting = useEndCompany(company, onClose)
  const isSame = typed.trim().toLowerCase() === company.name.trim().toLowerCase()
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={t('delete.title', { name: company.name })}
      description={t('delete.message')}
      footer={
        <>
          <Button onClick={onClose}>{t('common:actions.cancel')}</Button>
          <Button
            variant="danger"
            disabled={!isSame}
            busy={deleting.isPending}
            onClick={() => deleting.mutate(null)}
          >
            {t('delete.act')}
          </Button>
        </>
      }
    >
      <div className="mt-3 grid gap-4">
        <Consequences companyId={company.id} of="delete" />
        <Field label={t('delete.type', { name: company.name })}>
          <Input
            autoComplete="off"
            maxLength={100}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
        </Field>
        {deleting.error && (
          <Callout tone="danger" title={t('delete.failed')}>
            {errorText(t, deleting.error)}
          </Callout>
        )}
      </div>
    </Dialog>
  )
}
