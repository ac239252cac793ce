import { useState } from 'react'
import { formatNumber } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Dialog } from '../../../platform/ui/overlays/dialog.tsx'
import { toast } from '../../../platform/ui/toasts/toasts.ts'
import { remove } from '../document-actions.ts'
import { useTrashDays } from '../use-trash-days.ts'

type Props = {
  ids: readonly string[]
  /** Name of a single one. */
  name: string
  workspace: { id: string; name: string } | null
  onClose: () => void
  onGone: (gone: ReadonlySet<string>) => void
}

/** Confirms deleting documents everywhere, or removing them from the current workspace. */
export function DeleteDocuments({ ids, name, workspace, onClose, onGone }: Props) {
  const { t } = useTranslation('documents')
  const [done, setDone] = useState<number | null>(null)
  const count = ids.length
  const days = useTrashDays()
  const afterwards =
    days === undefined ? '' : days === 0 ? t('delete.for_good') : t('delete.to_trash', { count: days })
  const run = async (workspaceId: string | null) => {
    setDone(0)
    const gone = await remove(ids, workspaceId, setDone)
    setDone(null)
    onGone(gone)
    onClose()
    const failed = count - gone.size
    if (failed > 0) void toast.error(t('delete.failed', { count: failed }))
    else void toast.success(t(workspaceId ? 'delete.removed' : 'delete.done', { count }))
  }
  const isBusy = done !== null
  return (
    <Dialog
      open={count > 0}
      onOpenChange={(isOpen) => !isOpen && !isBusy && onClose()}
      dismissible={!isBusy}
      title={t(workspace ? 'delete.title_workspace' : 'delete.title', {
        count,
        name,
        workspace: workspace?.name ?? '',
      })}
      description={`${t(workspace ? 'delete.text_workspace' : 'delete.text', { count })} ${afterwards}`}
      footer={
        <>
          {isBusy && count > 1 && (
            <span role="status" className="num mr-auto self-center text-13 text-ink-2">
              {t('delete.progress', { done: formatNumber(done), total: formatNumber(count) })}
            </span>
          )}
          <Button disabled={isBusy} onClick={onClose}>
            {t('common:actions.cancel')}
          </Button>
          {workspace && (
            <Button variant="danger-ghost" disabled={isBusy} onClick={() => void run(null)}>
              {t('delete.everywhere')}
            </Button>
          )}
          <Button variant="danger" busy={isBusy} onClick={() => void run(workspace?.id ?? null)}>
            {t(workspace ? 'delete.remove' : 'card.delete')}
          </Button>
        </>
      }
    />
  )
}
