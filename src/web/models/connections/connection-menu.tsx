import { useMutation } from '@tanstack/react-query'
import { Ellipsis, Pencil, Power, PowerOff, Trash2 } from 'lucide-react'
import { useState } from 'react'
import {
  deleteConnection,
  type ModelConnection,
  updateConnection,
} from '#shared/models/connections/connections.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { IconButton } from '../../platform/ui/icon-button.tsx'
import { ConfirmDialog } from '../../platform/ui/overlays/confirm-dialog.tsx'
import { Menu } from '../../platform/ui/overlays/menu.tsx'
import { toast } from '../../platform/ui/toasts/toasts.ts'
import { refetchConnections } from './use-connections.ts'

/** Menu of a connection created here: edit, turn on or off, delete after confirmation. */
export function ConnectionMenu({ connection, onEdit }: { connection: ModelConnection; onEdit: () => void }) {
  const { t } = useTranslation('admin')
  const { id, name, enabled } = connection
  const [isAsked, setAsked] = useState(false)
  const params = { connectionId: id }
  const switching = useMutation({
    mutationFn: () => call(updateConnection, { params, body: { enabled: !enabled } }),
    onError: (error) => toast.error(`${t('models.change_failed', { name })} ${errorText(t, error)}`),
    onSettled: refetchConnections,
  })
  const deleting = useMutation({
    mutationFn: () => call(deleteConnection, { params }),
    onSuccess: () => {
      setAsked(false)
      toast.success(t('models.deleted', { name }))
    },
    onSettled: refetchConnections,
  })
  return (
    <>
      <Menu
        align="end"
        trigger={
          <IconButton name={t('models.actions', { name })} size="sm">
            <Ellipsis aria-hidden className="icon" />
          </IconButton>
        }
        entries={[
          { label: t('models.edit'), icon: <Pencil aria-hidden />, onSelect: onEdit },
          {
            label: t(enabled ? 'models.disable' : 'models.enable'),
            icon: enabled ? <PowerOff aria-hidden /> : <Power aria-hidden />,
            onSelect: () => switching.mutate(),
          },
          { kind: 'separator' },
          {
            label: t('models.delete'),
            icon: <Trash2 aria-hidden />,
            tone: 'danger',
            onSelect: () => {
              deleting.reset()
              setAsked(true)
            },
          },
        ]}
      />
      <ConfirmDialog
        open={isAsked}
        onOpenChange={setAsked}
        title={t('models.delete_title', { name })}
        message={
          <>
            {t('models.delete_text')}
            {deleting.isError && (
              <span role="alert" className="mt-2 block text-danger">
                {t('models.delete_failed', { name })} {errorText(t, deleting.error)}
              </span>
            )}
          </>
        }
        confirmLabel={t('models.delete')}
        cancelLabel={t('models.cancel')}
        busy={deleting.isPending}
        onConfirm={() => deleting.mutate()}
      />
    </>
  )
}
