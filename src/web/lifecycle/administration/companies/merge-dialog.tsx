import { useState } from 'react'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Callout } from '../../../platform/ui/callout.tsx'
import { Field } from '../../../platform/ui/field.tsx'
import { Dialog } from '../../../platform/ui/overlays/dialog.tsx'
import { CompanyPicker } from '../company-picker.tsx'
import { useManagedCompanies } from '../use-managed.ts'
import { Consequences } from './consequences.tsx'
import { useEndCompany } from './use-companies.ts'

type MergeDialogProps = { company: { id: string; name: string }; onClose: () => void }

/** Chooses the company to merge into and shows what moves before it happens. */
export function MergeDialog({ company, onClose }: MergeDialogProps) {
  const { t } = useTranslation('companies')
  const { data: companies = [] } = useManagedCompanies()
  const [chosen, setChosen] = useState('')
  const merging = useEndCompany(company, onClose)
  const others = companies.filter(({ id }) => id !== company.id)
  const into = others.find(({ id }) => id === chosen)
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={t('merge.title', { name: company.name })}
      description={t('merge.message', { name: company.name })}
      footer={
        <>
          <Button onClick={onClose}>{t('common:actions.cancel')}</Button>
          <Button
            variant="danger"
            disabled={!into}
            busy={merging.isPending}
            onClick={() => into && merging.mutate(into)}
          >
            {t('merge.act')}
          </Button>
        </>
      }
    >
      <div className="mt-3 grid gap-4">
        <Field label={t('merge.into')}>
          <CompanyPicker
            isField
            name={t('merge.into')}
            companies={others}
            value={chosen}
            emptyLabel={t('merge.choose')}
            onChoose={setChosen}
          />
        </Field>
        <Consequences companyId={company.id} of="merge" />
        {merging.error && (
          <Callout tone="danger" title={t('merge.failed')}>
            {errorText(t, merging.error)}
          </Callout>
        )}
      </div>
    </Dialog>
  )
}
