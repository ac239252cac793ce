import type { ListedAssistant } from '#shared/chat/assistants/assistants.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { useAction } from '../../platform/lib/use-action.ts'
import { ConfirmDialog } from '../../platform/ui/overlays/confirm-dialog.tsx'
import { remove } from './save.ts'

type Props = { assistant: ListedAssistant | null; onClose: () => void; onGone?: () => void }

/** Asks before deleting an assistant. Its chats stay. */
export function DeleteAssistant({ assistant, onClose, onGone }: Props) {
  const { t } = useTranslation('assistant')
  const { run, isPending } = useAction(
    async () => {
      if (assistant) await remove(assistant.id).finally(onClose)
    },
    () => onGone?.(),
  )
  return (
    <ConfirmDialog
      open={assistant !== null}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={t('delete.title', { name: assistant?.name ?? '' })}
      message={t('delete.text')}
      confirmLabel={t('common:actions.delete')}
      busy={isPending}
      onConfirm={() => void run()}
    />
  )
}
