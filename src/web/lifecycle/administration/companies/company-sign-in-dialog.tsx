import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { ManagedCompany } from '#shared/identity/administration/administration.ts'
import { signOutCompany } from '#shared/identity/administration/helping.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { formatDate } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Switch } from '../../../platform/ui/checkbox.tsx'
import { ConfirmDialog } from '../../../platform/ui/overlays/confirm-dialog.tsx'
import { Dialog } from '../../../platform/ui/overlays/dialog.tsx'
import { toast } from '../../../platform/ui/toasts/toasts.ts'
import { useChangeCompany } from '../use-managed.ts'
import { CompanyOutwardField } from './company-outward-field.tsx'

type CompanySignInDialogProps = { company: ManagedCompany; onClose: () => void }

/** Sign-in rules of a company, its approval rule for calls that send data outside, and whether its members share. */
export function CompanySignInDialog({ company, onClose }: CompanySignInDialogProps) {
  const { t } = useTranslation('admin')
  const changing = useChangeCompany()
  const [isAsking, setAsking] = useState(false)
  const signingOut = useMutation({
    mutationFn: () => call(signOutCompany, { params: { companyId: company.id } }),
    onSuccess: ({ people }) => toast.success(t('administration.sign_out_company.done', { count: people })),
    onError: (error) => toast.error(errorText(t, error)),
    onSettled: () => setAsking(false),
  })
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
        <p className="text-12 text-ink-3">
          {t('administration.two_step_hint')}{' '}
          {company.second_factor_binds_at &&
            t('administration.two_step_binds', { date: formatDate(company.second_factor_binds_at) })}
        </p>
      </div>
      <div className="mt-5 border-t border-line pt-4">
        <CompanyOutwardField company={company} />
      </div>
      <div className="mt-5 grid gap-1 border-t border-line pt-4">
        <Switch
          label={t('administration.members_share')}
          checked={company.members_share}
          disabled={changing.isPending}
          onCheckedChange={(members_share) => changing.mutate({ id: company.id, members_share })}
        />
        <p className="text-12 text-ink-3">{t('administration.members_share_hint')}</p>
      </div>
      <div className="mt-5 grid gap-1 border-t border-line pt-4">
        <Switch
          label={t('administration.mails_show_content')}
          checked={company.mails_show_content}
          disabled={changing.isPending}
          onCheckedChange={(mails_show_content) => changing.mutate({ id: company.id, mails_show_content })}
        />
        <p className="text-12 text-ink-3">{t('administration.mails_show_content_hint')}</p>
      </div>
      <div className="mt-5 grid justify-items-start gap-2 border-t border-line pt-4">
        <p className="text-13">{t('administration.sign_out_company.hint')}</p>
        <Button variant="danger-ghost" onClick={() => setAsking(true)}>
          {t('administration.sign_out_company.open')}
        </Button>
      </div>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={t('administration.sign_out_company.title', { name: company.name })}
        message={t('administration.sign_out_company.message', { count: company.people })}
        confirmLabel={t('administration.sign_out_company.act')}
        busy={signingOut.isPending}
        onConfirm={() => signingOut.mutate()}
      />
    </Dialog>
  )
}
