import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { useAction } from '../../platform/lib/use-action.ts'
import { ConfirmDialog } from '../../platform/ui/overlays/confirm-dialog.tsx'
import { toast } from '../../platform/ui/toasts/toasts.ts'
import { remove } from './schedule-actions.ts'

type Props = { schedule: { id: string; name: string } | null; onClose: () => void; onGone?: () => void }

/** Asks before deleting a schedule with its log. */
export function DeleteSchedule({ schedule, onClose, onGone }: Props) {
  const { t } = useTranslation('schedules')
  const { run, isPending } = useAction(async () => {
    if (!schedule) return
    try {
      await remove(schedule.id)
      onGone?.()
    } catch (error) {
      void toast.error(errorText(t, error))
    }
    onClose()
  })
  return (
    <ConfirmDialog
      open={schedule !== null}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={t('delete.title', { name: schedule?.name ?? '' })}
      message={t('delete.text')}
      confirmLabel={t('common:actions.delete')}
      busy={isPending}
      onConfirm={() => void run()}
    />
  )
}
