import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { useAction } from '../../platform/lib/use-action.ts'
import { ConfirmDialog } from '../../platform/ui/overlays/confirm-dialog.tsx'
import { toast } from '../../platform/ui/toasts/toasts.ts'
import { remove } from './prompt-actions.ts'

type Props = { prompt: { id: string; name: string } | null; onClose: () => void; onGone?: () => void }

/** Asks before deleting a prompt with its versions and shares. */
export function DeletePrompt({ prompt, onClose, onGone }: Props) {
  const { t } = useTranslation('prompts')
  const { run, isPending } = useAction(async () => {
    if (!prompt) return
    try {
      await remove(prompt.id)
      void toast.success(t('said.deleted'))
      onGone?.()
    } catch (error) {
      void toast.error(errorText(t, error))
    }
    onClose()
  })
  return (
    <ConfirmDialog
      open={prompt !== null}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={t('delete.title', { name: prompt?.name ?? '' })}
      message={t('delete.text')}
      confirmLabel={t('common:actions.delete')}
      busy={isPending}
      onConfirm={() => void run()}
    />
  )
}
