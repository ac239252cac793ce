import { useNavigate } from '@tanstack/react-router'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { deleteMcpServer, type McpServer } from '#shared/tools/own-tools/mcp-servers.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { Button } from '../../platform/ui/button.tsx'
import { ConfirmDialog } from '../../platform/ui/overlays/confirm-dialog.tsx'
import { toast } from '../../platform/ui/toasts/toasts.ts'
import { ServerForm } from './server-form.tsx'
import { forgetServer } from './use-servers.ts'

/** Connection settings of a server. Its owner edits them or deletes the server here. */
export function ServerConnection({ server }: { server: McpServer }) {
  const { t } = useTranslation('tools')
  // Remounts the form with the saved values.
  const [saved, setSaved] = useState(0)
  return (
    <>
      <ServerForm
        key={saved}
        server={server}
        onSaved={() => {
          setSaved(saved + 1)
          void toast.success(t('servers.saved'))
        }}
      />
      <Forget server={server} />
    </>
  )
}

function Forget({ server }: { server: McpServer }) {
  const { t } = useTranslation('tools')
  const navigate = useNavigate()
  const [isAsking, setAsking] = useState(false)
  const remove = async () => {
    try {
      await call(deleteMcpServer, { params: { toolSetId: server.id } })
      forgetServer()
      void navigate({ to: '/tools/servers' })
    } catch (error) {
      void toast.error(errorText(t, error))
    }
  }
  return (
    <div className="border-t border-line pt-4">
      <Button
        variant="danger-ghost"
        icon={<Trash2 aria-hidden className="icon" />}
        onClick={() => setAsking(true)}
      >
        {t('servers.forget')}
      </Button>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={t('servers.forget_title', { server: server.name })}
        message={t('servers.forget_text')}
        confirmLabel={t('servers.forget')}
        onConfirm={() => void remove()}
      />
    </div>
  )
}
