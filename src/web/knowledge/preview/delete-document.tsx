import { useState } from 'react'
import type { Document } from '#shared/knowledge/documents/documents.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { queryClient } from '../../platform/lib/api/query-client.ts'
import { ConfirmDialog } from '../../platform/ui/overlays/confirm-dialog.tsx'
import { toast } from '../../platform/ui/toasts/toasts.ts'
import { remove } from '../documents/documents.ts'
import { useWorkspace } from '../workspaces/workspaces.ts'

type DeleteDocumentProps = {
  document: Document
  workspaceId: string | null
  isOpen: boolean
  onClose: () => void
  onDeleted: () => void
}

/** Confirms deleting a document; opened in a workspace, it is only removed from that one. */
export function DeleteDocument({ document, workspaceId, isOpen, onClose, onDeleted }: DeleteDocumentProps) {
  const { t } = useTranslation('documents')
  const { data: found } = useWorkspace(workspaceId)
  const [isDeleting, setDeleting] = useState(false)
  const { id, name } = document
  const workspace = found && 'name' in found ? found.name : ''
  const onConfirm = async () => {
    setDeleting(true)
    const gone = await remove([id], workspaceId)
    setDeleting(false)
    onClose()
    if (!gone.has(id)) return void toast.error(t('delete.failed', { count: 1 }))
    queryClient.removeQueries({ queryKey: [`document:${id}`] })
    onDeleted()
  }
  return (
    <ConfirmDialog
      open={isOpen}
      onOpenChange={(next) => next || onClose()}
      title={
        workspaceId
          ? t('delete.title_workspace', { count: 1, name, workspace })
          : t('delete.title', { count: 1, name })
      }
      message={t(workspaceId ? 'delete.text_workspace' : 'delete.text', { count: 1 })}
      confirmLabel={t(workspaceId ? 'delete.remove' : 'card.delete')}
      busy={isDeleting}
      onConfirm={() => void onConfirm()}
    />
  )
}
