import type { ManagedCompany } from '#shared/identity/administration/administration.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Switch } from '../../../platform/ui/checkbox.tsx'
import { Dialog } from '../../../platform/ui/overlays/dialog.tsx'
import { useRequireSecondFactor } from '../use-managed.ts'

type CompanySignInDialogProps = { company: ManagedCompany; onClose: () => void }

/** How the people of a company sign in. */
export function CompanySignInDialog({ company, onClose }: CompanySignInDialogProps) {
  const { t } = useTranslation('admin')
  const requiring = useRequireSecondFactor()
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
          disabled={requiring.isPending}
          onCheckedChange={(isRequired) => requiring.mutate({ id: company.id, isRequired })}
        />
        <p className="text-12 text-ink-3">{t('administration.two_step_hint')}</p>
      </div>
    </Dialog>
  )
}
