import type { ScheduleMail } from '#shared/chat/schedules/schedules.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Callout } from '../../../platform/ui/callout.tsx'
import { CopyButton } from '../../../platform/ui/copy-button.tsx'
import { Field } from '../../../platform/ui/field.tsx'
import { Input } from '../../../platform/ui/input.tsx'

/** The address of a schedule that starts on a mail. */
export function MailAddress({ mail }: { mail: ScheduleMail }) {
  const { t } = useTranslation('schedules')
  const { address, is_read, verifies_senders, owner_address } = mail
  if (address === null) return <Callout tone="warning">{t('fault.no_mailbox')}</Callout>
  return (
    <div className="grid gap-4 rounded-card border border-line p-4">
      <Field
        label={t('mail.address')}
        hint={owner_address === null ? t('mail.no_own') : t('mail.own', { address: owner_address })}
      >
        <Input
          readOnly
          value={address}
          className="font-mono text-13"
          onFocus={({ target }) => target.select()}
          end={<CopyButton name={t('mail.copy_address')} size="xs" read={() => address} />}
        />
      </Field>
      {!is_read && <Callout tone="danger">{t('mail.not_read')}</Callout>}
      {!verifies_senders && <Callout tone="warning">{t('mail.not_verified')}</Callout>}
    </div>
  )
}
