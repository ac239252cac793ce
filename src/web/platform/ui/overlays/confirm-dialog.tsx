import { type ReactNode, useRef } from 'react'
import { useTranslation } from '../../i18n/i18n.ts'
import { Button } from '../button.tsx'
import { Dialog } from './dialog.tsx'

export type ConfirmDialogProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: ReactNode
  message: ReactNode
  confirmLabel?: string
  cancelLabel?: string
  /** `danger` is the default, because most questions precede a loss. */
  tone?: 'danger' | 'primary'
  /** The confirmed work is in progress. */
  busy?: boolean
  onConfirm: () => void
}

/** Asks before an action. The focus starts on the answer that changes nothing. */
export function ConfirmDialog({
  open,
  onOpenChange,
  title,
  message,
  confirmLabel,
  cancelLabel,
  tone = 'danger',
  busy = false,
  onConfirm,
}: ConfirmDialogProps) {
  const { t } = useTranslation('common')
  const safe = useRef<HTMLButtonElement>(null)
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={title}
      description={message}
      initialFocus={safe}
      footer={
        <>
          <Button ref={safe} onClick={() => onOpenChange(false)}>
            {cancelLabel ?? t('actions.cancel')}
          </Button>
          <Button variant={tone} busy={busy} onClick={onConfirm}>
            {confirmLabel ?? t('actions.confirm')}
          </Button>
        </>
      }
    />
  )
}
