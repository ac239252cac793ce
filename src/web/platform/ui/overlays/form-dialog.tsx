import { type ReactNode, useId } from 'react'
import { useTranslation } from '../../i18n/i18n.ts'
import { Button } from '../button.tsx'
import { Dialog } from './dialog.tsx'

type FormDialogProps = {
  title: ReactNode
  /** One or two sentences below the title. */
  description?: ReactNode
  size?: 'sm' | 'md'
  /** Label of the submit button. */
  send: string
  /** Disables submitting, for example while a field is missing. */
  disabled?: boolean
  busy: boolean
  onSend: () => void
  onClose: () => void
  /** The fields, and the error of a refused submission. */
  children: ReactNode
}

/** A dialog with a form that is submitted or cancelled. */
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
          // Enter submits a form even if its button is disabled.
          if (!disabled && !busy) onSend()
        }}
      >
        {children}
      </form>
    </Dialog>
  )
}
