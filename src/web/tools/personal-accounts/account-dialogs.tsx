import { useState } from 'react'
import type { CaldavSettings, ImapSettings } from '#shared/tools/actions/personal-accounts.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Callout } from '../../platform/ui/callout.tsx'
import { Field } from '../../platform/ui/field.tsx'
import { Input } from '../../platform/ui/input.tsx'
import { NumberInput } from '../../platform/ui/number-input.tsx'
import { FormDialog } from '../../platform/ui/overlays/form-dialog.tsx'
import { Select } from '../../platform/ui/select.tsx'
import { useConnectCalendar, useConnectMailbox } from './use-personal-accounts.ts'

type DialogProps = { onDone: () => void; onClose: () => void }

/** Asks for the servers and the password of a mailbox, which is tried before it is stored. */
export function MailboxDialog({ onDone, onClose }: DialogProps) {
  const { t } = useTranslation('actions')
  const [draft, setDraft] = useState<ImapSettings>({
    ...{ address: '', name: '', username: '', password: '' },
    ...{ imap_host: '', imap_port: 993, imap_security: 'tls' },
    ...{ smtp_host: '', smtp_port: 465, smtp_security: 'tls' },
  })
  const connecting = useConnectMailbox(onDone)
  const change = (part: Partial<ImapSettings>) => setDraft((before) => ({ ...before, ...part }))
  const isComplete = [draft.address, draft.password, draft.imap_host, draft.smtp_host].every((one) =>
    one.trim(),
  )
  return (
    <FormDialog
      title={t('about.imap')}
      send={t('form.save')}
      size="md"
      disabled={!isComplete}
      busy={connecting.isPending}
      onSend={() => connecting.mutate({ ...draft, username: draft.username.trim() || draft.address.trim() })}
      onClose={onClose}
    >
      <div className="grid gap-4 md:grid-cols-2">
        <TextField
          label={t('form.address')}
          value={draft.address}
          onChange={(address) => change({ address })}
          type="email"
        />
        <TextField
          label={t('form.name')}
          value={draft.name ?? ''}
          onChange={(name) => change({ name })}
          optional
        />
        <TextField
          label={t('form.username')}
          value={draft.username}
          onChange={(username) => change({ username })}
          optional
        />
        <PasswordField value={draft.password} onChange={(password) => change({ password })} />
      </div>
      <ServerFields part="imap" name={t('form.incoming')} draft={draft} onChange={change} />
      <ServerFields part="smtp" name={t('form.outgoing')} draft={draft} onChange={change} />
      {connecting.error && <Callout tone="danger">{errorText(t, connecting.error)}</Callout>}
    </FormDialog>
  )
}

const securities = ['tls', 'starttls'] as const
const usualPorts = { imap: { tls: 993, starttls: 143 }, smtp: { tls: 465, starttls: 587 } }

type ServerProps = {
  part: 'imap' | 'smtp'
  name: string
  draft: ImapSettings
  onChange: (part: Partial<ImapSettings>) => void
}

function ServerFields({ part, name, draft, onChange }: ServerProps) {
  const { t } = useTranslation('actions')
  return (
    <fieldset className="grid grid-cols-[minmax(0,1fr)_96px_120px] gap-3 max-md:grid-cols-2">
      <legend className="mb-2 text-13 font-semibold">{name}</legend>
      <TextField
        className="max-md:col-span-2"
        label={t('form.host')}
        value={draft[`${part}_host`]}
        onChange={(host) => onChange({ [`${part}_host`]: host.trim() })}
      />
      <Field label={t('form.port')}>
        <NumberInput
          value={draft[`${part}_port`]}
          onValueChange={(port) => onChange({ [`${part}_port`]: port })}
          {...{ min: 1, max: 65_535, fallback: usualPorts[part].tls }}
        />
      </Field>
      <Field label={t('form.security')}>
        <Select
          value={draft[`${part}_security`]}
          options={securities.map((value) => ({ value, label: t(`form.${value}`) }))}
          onValueChange={(value) => {
            const security = value === 'starttls' ? value : 'tls'
            onChange({ [`${part}_security`]: security, [`${part}_port`]: usualPorts[part][security] })
          }}
        />
      </Field>
    </fieldset>
  )
}

/** Asks for the address and the password of a calendar, which is tried before it is stored. */
export function CalendarDialog({ onDone, onClose }: DialogProps) {
  const { t } = useTranslation('actions')
  const [draft, setDraft] = useState<CaldavSettings>({
    address: '',
    url: 'https://',
    username: '',
    password: '',
  })
  const connecting = useConnectCalendar(onDone)
  const change = (part: Partial<CaldavSettings>) => setDraft((before) => ({ ...before, ...part }))
  return (
    <FormDialog
      title={t('about.caldav')}
      send={t('form.save')}
      size="md"
      disabled={!draft.address.trim() || !draft.password || !URL.canParse(draft.url.trim())}
      busy={connecting.isPending}
      onSend={() =>
        connecting.mutate({
          ...draft,
          url: draft.url.trim(),
          username: draft.username.trim() || draft.address.trim(),
        })
      }
      onClose={onClose}
    >
      <Field label={t('form.url')} hint={t('form.url_hint')}>
        <Input type="url" value={draft.url} onChange={({ target }) => change({ url: target.value })} />
      </Field>
      <TextField
        label={t('form.address')}
        value={draft.address}
        onChange={(address) => change({ address })}
        type="email"
      />
      <div className="grid gap-4 md:grid-cols-2">
        <TextField
          label={t('form.username')}
          value={draft.username}
          onChange={(username) => change({ username })}
          optional
        />
        <PasswordField value={draft.password} onChange={(password) => change({ password })} />
      </div>
      {connecting.error && <Callout tone="danger">{errorText(t, connecting.error)}</Callout>}
    </FormDialog>
  )
}

type TextProps = {
  label: string
  value: string
  onChange: (value: string) => void
  type?: 'email'
  optional?: boolean
  className?: string
}

function TextField({ label, value, onChange, type, optional = false, className = '' }: TextProps) {
  return (
    <Field label={label} optional={optional} className={className}>
      <Input
        {...(type && { type })}
        autoComplete="off"
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    </Field>
  )
}

function PasswordField({ value, onChange }: Pick<TextProps, 'value' | 'onChange'>) {
  const { t } = useTranslation('actions')
  return (
    <Field label={t('form.password')} hint={t('form.password_hint')}>
      <Input
        type="password"
        autoComplete="new-password"
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    </Field>
  )
}
