import { useMutation } from '@tanstack/react-query'
import type { Fact } from '#shared/chat/memory/fact.ts'
import { deleteFact } from '#shared/chat/memory/memory.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { isApiError } from '../../platform/lib/api/api-error.ts'
import { call } from '../../platform/lib/api/call.ts'
import { ConfirmDialog } from '../../platform/ui/overlays/confirm-dialog.tsx'
import { toast } from '../../platform/ui/toasts/toasts.ts'
import { refreshMemory } from './use-chat-memory.ts'

/** Asks before a fact is deleted with its traces. */
export function DeleteFact({ fact, onClose }: { fact: Fact | null; onClose: () => void }) {
  const { t } = useTranslation('memory')
  const { mutate, isPending } = useMutation({
    mutationFn: (factId: string) => call(deleteFact, { params: { factId } }),
    onError: (error) => {
      // Deleted in another window.
      if (!isApiError(error, 404)) toast.error(errorText(t, error))
    },
    onSettled: () => {
      onClose()
      return refreshMemory()
    },
  })
  return (
    <ConfirmDialog
      open={fact !== null}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={t('ask.title')}
      message={t('ask.text', { fact: fact?.text })}
      confirmLabel={t('common:actions.delete')}
      busy={isPending}
      onConfirm={() => fact && mutate(fact.id)}
    />
  )
}
