import type { MailSecurity } from '#shared/lifecycle/setup/setup.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Field } from '../../../platform/ui/field.tsx'
import { Input, PasswordInput } from '../../../platform/ui/input.tsx'
import { Select } from '../../../platform/ui/select.tsx'
import { type MailForm, usualPorts } from './use-mail-form.ts'

const kinds = ['starttls', 'tls', 'none'] as const satisfies MailSecurity[]
type MailFieldsProps = { form: MailForm; isFixed: boolean; hasPassword: boolean }

/** Mail server, encryption, credentials and sender address. */
export function MailFields({ form: { draft, problems, change }, isFixed, hasPassword }: MailFieldsProps) {
  const { t } = useTranslation('setup')
  const errorOf = (field: keyof typeof problems) => problems[field] && t(`mail.${problems[field]}`)
  const plain = { autoCapitalize: 'off', autoComplete: 'off', spellCheck: false, disabled: isFixed }
  const setSecurity = (value: string) => {
    const security = kinds.find((kind) => kind === value) ?? 'starttls'
    const isUsual = draft.port === usualPorts[draft.security]
    change({ security, port: isUsual ? usualPorts[security] : draft.port })
  }
  return (
    <>
      <div className="setup-server">
        <Field label={t('mail.host')} error={errorOf('host')}>
          <Input
            {...plain}
            size="lg"
            maxLength={253}
            value={draft.host}
            onChange={({ target }) => change({ host: target.value })}
          />
        </Field>
        <Field label={t('mail.port')} error={errorOf('port')}>
          <Input
            {...plain}
            size="lg"
            inputMode="numeric"
            maxLength={5}
            value={draft.port}
            onChange={({ target }) => change({ port: target.value })}
          />
        </Field>
        <Field label={t('mail.security')}>
          <Select
            size="lg"
            disabled={isFixed}
            value={draft.security}
            options={kinds.map((value) => ({ value, label: t(`mail.kind.${value}`) }))}
            onValueChange={setSecurity}
          />
        </Field>
      </div>
      <div className="grid gap-3.5 sm:grid-cols-2">
        <Field label={t('mail.username')} optional>
          <Input
            {...plain}
            size="lg"
            maxLength={320}
            value={draft.username}
            onChange={({ target }) => change({ username: target.value })}
          />
        </Field>
        <Field
          label={t('mail.password')}
          optional
          hint={hasPassword ? t(isFixed ? 'mail.password_there' : 'mail.password_kept') : undefined}
        >
          <PasswordInput
            size="lg"
            disabled={isFixed}
            autoComplete="new-password"
            maxLength={1000}
            value={draft.password}
            onChange={({ target }) => change({ password: target.value })}
          />
        </Field>
      </div>
      <Field label={t('mail.sender')} hint={t('mail.sender_hint')} error={errorOf('sender')}>
        <Input
          {...plain}
          size="lg"
          maxLength={320}
          value={draft.sender}
          onChange={({ target }) => change({ sender: target.value })}
        />
      </Field>
    </>
  )
}
