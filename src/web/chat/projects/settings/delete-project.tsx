import { useNavigate } from '@tanstack/react-router'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { ProjectDetails } from '#shared/chat/projects/projects.ts'
import { deleteWorkspace } from '#shared/knowledge/workspaces/workspaces.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { ConfirmDialog } from '../../../platform/ui/overlays/confirm-dialog.tsx'
import { toast } from '../../../platform/ui/toasts/toasts.ts'
import { readProjectsAgain } from '../use-projects.ts'

/** Deletes a project after a question. Its chats and documents stay with their owners. */
export function DeleteProject({
  project: { id, name, chat_count, document_count },
}: {
  project: ProjectDetails
}) {
  const { t } = useTranslation('projects')
  const navigate = useNavigate()
  const [isAsked, setAsked] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const remove = async () => {
    setBusy(true)
    try {
      await call(deleteWorkspace, { params: { workspaceId: id } })
      await navigate({ to: '/' })
      await readProjectsAgain()
    } catch (error) {
      void toast.error(errorText(t, error))
      setBusy(false)
      setAsked(false)
    }
  }
  return (
    <>
      <Button
        variant="danger-ghost"
        icon={<Trash2 aria-hidden className="icon" />}
        onClick={() => setAsked(true)}
      >
        {t('delete.button')}
      </Button>
      <ConfirmDialog
        open={isAsked}
        onOpenChange={setAsked}
        title={t('delete.title', { name })}
        message={t('delete.text', { chats: chat_count, documents: document_count })}
        confirmLabel={t('delete.button')}
        busy={isBusy}
        onConfirm={() => void remove()}
      />
    </>
  )
}
