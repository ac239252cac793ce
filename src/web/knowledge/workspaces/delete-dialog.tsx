import { useState } from 'react'
import type { Workspace } from '#shared/knowledge/workspaces/workspaces.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { ConfirmDialog } from '../../platform/ui/overlays/confirm-dialog.tsx'
import { toast } from '../../platform/ui/toasts/toasts.ts'
import { removeWorkspace } from './workspace-changes.ts'

type Props = { workspace: Workspace | null; onClose: () => void; onDeleted?: (id: string) => void }

/** Confirms deleting a workspace; its documents stay. */
export function DeleteDialog({ workspace, onClose, onDeleted }: Props) {
  const { t } = useTranslation('documents')
  const [isBusy, setBusy] = useState(false)
  const confirm = async () => {
    if (!workspace) return
    setBusy(true)
    try {
      await removeWorkspace(workspace.id)
      onDeleted?.(workspace.id)
    } catch (error) {
      void toast.error(errorText(t, error, 'errors.delete_failed'))
    }
    setBusy(false)
    onClose()
  }
  return (
    <ConfirmDialog
      open={workspace !== null}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={t('workspace.delete_title', { name: workspace?.name ?? '' })}
      message={t('workspace.delete_text', { count: workspace?.document_count ?? 0 })}
      confirmLabel={t('workspace.delete')}
      busy={isBusy}
      onConfirm={() => void confirm()}
    />
  )
}
