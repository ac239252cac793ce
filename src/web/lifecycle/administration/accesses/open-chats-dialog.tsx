import { useState } from 'react'
import type { ManagedUser } from '#shared/identity/administration/administration.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Field } from '../../../platform/ui/field.tsx'
import { Textarea } from '../../../platform/ui/input.tsx'
import { FormDialog } from '../../../platform/ui/overlays/form-dialog.tsx'
import { Select } from '../../../platform/ui/select.tsx'
import { useOpenChats } from './use-chat-access.ts'

type OpenChatsDialogProps = { user: ManagedUser; onClose: () => void; onOpened: () => void }

/** Asks for the reason and duration of an access to a user's chats, and says that the user is notified. */
export function OpenChatsDialog({ user, onClose, onOpened }: OpenChatsDialogProps) {
  const { t } = useTranslation('admin')
  const [reason, setReason] = useState('')
  const [hours, setHours] = useState('1')
  const opening = useOpenChats(user.id, onOpened)
  const isRight = reason.trim().length >= 10
  return (
    <FormDialog
      title={t('administration.accesses.open_title', { name: user.full_name?.trim() || user.username })}
      description={t('administration.accesses.open_text')}
      send={t('administration.accesses.open')}
      disabled={!isRight}
      busy={opening.isPending}
      onSend={() => opening.mutate({ reason: reason.trim(), hours: Number(hours) })}
      onClose={onClose}
    >
      <Field
        label={t('administration.accesses.reason')}
        hint={t('administration.accesses.reason_hint')}
        error={opening.error && errorText(t, opening.error)}
      >
        <Textarea
          value={reason}
          maxLength={500}
          rows={3}
          onChange={({ target }) => setReason(target.value)}
        />
      </Field>
      <Field label={t('administration.accesses.for')}>
        <Select
          value={hours}
          options={[1, 4, 24, 72].map((count) => ({
            value: String(count),
            label: t('administration.accesses.hours', { count }),
          }))}
          onValueChange={setHours}
        />
      </Field>
    </FormDialog>
  )
}
