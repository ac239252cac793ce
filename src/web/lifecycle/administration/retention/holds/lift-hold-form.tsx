import { useState } from 'react'
import { type LegalHold, MAX_REASON_CHARACTERS } from '#shared/lifecycle/legal-holds/legal-holds.ts'
import { errorText } from '../../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../../platform/i18n/i18n.ts'
import { Callout } from '../../../../platform/ui/callout.tsx'
import { Field } from '../../../../platform/ui/field.tsx'
import { Input } from '../../../../platform/ui/input.tsx'
import { FormDialog } from '../../../../platform/ui/overlays/form-dialog.tsx'
import { useLiftHold } from './use-holds.ts'

/** Lifts a legal hold, with a reason. */
export function LiftHoldForm({ hold, onClose }: { hold: LegalHold; onClose: () => void }) {
  const { t } = useTranslation('admin')
  const [reason, setReason] = useState('')
  const [wasSent, setSent] = useState(false)
  const lifting = useLiftHold(onClose)
  const isReasoned = reason.trim().length >= 3
  const submit = () => {
    setSent(true)
    if (isReasoned) lifting.mutate({ hold_id: hold.id, reason: reason.trim() })
  }
  return (
    <FormDialog
      title={t('holds.lift_title', { name: hold.name })}
      description={t('holds.lift_text')}
      send={t('holds.lift')}
      busy={lifting.isPending}
      onSend={submit}
      onClose={onClose}
    >
      <Field
        label={t('holds.lift_reason')}
        hint={t('holds.reason_hint')}
        error={wasSent && !isReasoned ? t('holds.no_reason') : undefined}
      >
        <Input
          value={reason}
          maxLength={MAX_REASON_CHARACTERS}
          onChange={({ target }) => setReason(target.value)}
        />
      </Field>
      {lifting.error && (
        <Callout tone="danger" title={t('holds.failed')}>
          {errorText(t, lifting.error)}
        </Callout>
      )}
    </FormDialog>
  )
}
