import type { ManagedUser } from '#shared/identity/administration/administration.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { ConfirmDialog } from '../../../platform/ui/overlays/confirm-dialog.tsx'
import { type Help, useHelping } from './use-helping.ts'

type HelpDialogProps = { user: ManagedUser; help: Help; onClose: () => void }

/** Confirms signing a user out, removing their second factor, or locking them out. */
export function HelpDialog({ user, help, onClose }: HelpDialogProps) {
  const { t } = useTranslation('admin')
  const helping = useHelping(onClose)
  const name = user.full_name?.trim() || user.username
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => open || onClose()}
      title={t(`administration.help.${help}.title`, { name })}
      message={t(`administration.help.${help}.message`, { name })}
      confirmLabel={t(`administration.help.${help}.act`)}
      tone={help === 'deactivate' ? 'danger' : 'primary'}
      busy={helping.isPending}
      onConfirm={() => helping.mutate({ user, help })}
    />
  )
}
