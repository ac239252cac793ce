import { type ReactNode, useState } from 'react'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Field } from '../../../platform/ui/field.tsx'
import { Input } from '../../../platform/ui/input.tsx'
import { FormDialog } from '../../../platform/ui/overlays/form-dialog.tsx'

type NameDialogProps = {
  /** The title of a new one; one that is there is renamed. */
  title: string
  label: string
  /** Current name; null for a new item. */
  name: string | null
  /** Whether the other fields are complete. */
  isWhole?: boolean
  naming: { error: Error | null; isPending: boolean }
  onName: (name: string) => void
  onClose: () => void
  children?: ReactNode
}

/** Names a new or existing item of the installation, such as a company or group. */
export function NameDialog(props: NameDialogProps) {
  const { title, label, name, isWhole = true, naming, onName, onClose, children } = props
  const { t } = useTranslation('admin')
  const [typed, setTyped] = useState(name ?? '')
  return (
    <FormDialog
      title={name === null ? title : t('administration.rename', { name })}
      send={t('administration.save')}
      disabled={typed.trim() === '' || !isWhole}
      busy={naming.isPending}
      onSend={() => onName(typed.trim())}
      onClose={onClose}
    >
      <Field label={label} error={naming.error && errorText(t, naming.error)}>
        <Input value={typed} maxLength={100} onChange={({ target }) => setTyped(target.value)} />
      </Field>
      {children}
    </FormDialog>
  )
}
