import type { ManagedCompany } from '#shared/identity/administration/administration.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Switch } from '../../../platform/ui/checkbox.tsx'
import { Dialog } from '../../../platform/ui/overlays/dialog.tsx'
import { CompanyOutwardField } from '../company-outward-field.tsx'
import { useChangeCompany } from '../use-managed.ts'

type CompanySignInDialogProps = { company: ManagedCompany; onClose: () => void }

/** Sign-in rules of a company, and its approval rule for calls that send data outside. */
export function CompanySignInDialog({ company, onClose }: CompanySignInDialogProps) {
  const { t } = useTranslation('admin')
  const changing = useChangeCompany()
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={t('administration.sign_in_of', { name: company.name })}
    >
      <div className="grid gap-1">
        <Switch
          label={t('administration.two_step')}
          checked={company.requires_second_factor}
          disabled={changing.isPending}
          onCheckedChange={(requires_second_factor) =>
            changing.mutate({ id: company.id, requires_second_factor })
          }
        />
        <p className="text-12 text-ink-3">{t('administration.two_step_hint')}</p>
      </div>
      <div className="mt-5 border-t border-line pt-4">
        <CompanyOutwardField company={company} />
      </div>
    </Dialog>
  )
}
