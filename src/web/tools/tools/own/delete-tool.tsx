import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Tool } from '#shared/tools/tools/tools.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { useAction } from '../../../platform/lib/use-action.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { ConfirmDialog } from '../../../platform/ui/overlays/confirm-dialog.tsx'
import { remove } from './save.ts'

/** Confirms the deletion of an own tool. */
export function DeleteTool({ tool }: { tool: Tool }) {
  const { t } = useTranslation('own_tools')
  const navigate = useNavigate()
  const [isAsking, setAsking] = useState(false)
  const { run, isPending } = useAction(
    () => remove(tool.id).finally(() => setAsking(false)),
    () => void navigate({ to: '/tools' }),
  )
  return (
    <>
      <Button variant="danger-ghost" onClick={() => setAsking(true)}>
        {t('common:actions.delete')}
      </Button>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={t('delete.title', { name: tool.ui_name })}
        message={t('delete.text')}
        confirmLabel={t('common:actions.delete')}
        busy={isPending}
        onConfirm={() => void run()}
      />
    </>
  )
}
