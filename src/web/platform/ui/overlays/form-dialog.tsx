import { type ReactNode, useId } from 'react'
import { useTranslation } from '../../i18n/i18n.ts'
import { Button } from '../button.tsx'
import { Dialog } from './dialog.tsx'

type FormDialogProps = {
  title: ReactNode
  /** One or two sentences under the title. */
  description?: ReactNode
  size?: 'sm' | 'md'
  /** What the button says that sends it. */
  send: string
  /** Something is still missing that nobody has to be told of. */
  disabled?: boolean
  busy: boolean
  onSend: () => void
  onClose: () => void
  /** The fields, and why it was not taken. */
  children: ReactNode
}

/** A dialog with fields that are sent, or left by its other button. */
export function FormDialog({
  title,
  description,
  size,
  send,
  disabled = false,
  busy,
  onSend,
  onClose,
  children,
}: FormDialogProps) {
  const { t } = useTranslation('common')
  const form = useId()
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      {...{ title, description, size }}
      footer={
        <>
          <Button onClick={onClose}>{t('actions.cancel')}</Button>
          <Button type="submit" form={form} variant="primary" disabled={disabled} busy={busy}>
            {send}
          </Button>
        </>
      }
    >
      <form
        id={form}
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          // Enter sends a form whose button cannot be pressed.
          if (!disabled && !busy) onSend()
        }}
      >
        {children}
      </form>
    </Dialog>
  )
}
