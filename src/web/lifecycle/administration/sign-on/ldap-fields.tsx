import type { LdapSettings } from '#shared/identity/accounts/sign-on-providers.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Field } from '../../../platform/ui/field.tsx'
import { Textarea } from '../../../platform/ui/input.tsx'
import type { FieldsProps } from './provider-draft.ts'
import { SecretField, TextField } from './text-field.tsx'

const searches = ['user_filter', 'group_base', 'group_filter'] as const
const attributes = ['email_attribute', 'name_attribute', 'groups_attribute', 'id_attribute'] as const

/** An LDAP directory. */
export function LdapFields({
  settings,
  name,
  secret,
  secretHint,
  errorOf,
  onChange,
  onDraft,
}: FieldsProps<LdapSettings>) {
  const { t } = useTranslation('admin')
  const of = (field: string) => t(`administration.sign_on.field.${field}`)
  const line = (field: Exclude<keyof LdapSettings, 'kind'>, optional = false, placeholder?: string) => (
    <TextField
      key={field}
      mono
      optional={optional}
      label={of(field)}
      value={settings[field]}
      error={errorOf(`settings.${field}`)}
      onValue={(value) => onChange({ [field]: value })}
      {...(placeholder && { placeholder })}
    />
  )
  return (
    <>
      <div className="sign-on-pair">
        <TextField
          label={of('directory_name')}
          value={name}
          maxLength={40}
          error={errorOf('name')}
          onValue={(value) => onDraft({ name: value })}
        />
        {line('url', false, 'ldaps://ldap.example.com:636')}
        {line('search_base', false, 'ou=people,dc=example,dc=com')}
        {line('bind_dn', true, 'cn=atrium,ou=services,dc=example,dc=com')}
        <SecretField
          optional
          label={of('bind_password')}
          value={secret}
          hint={secretHint}
          error={errorOf('secret')}
          onValue={(value) => onDraft({ secret: value })}
        />
        {searches.map((field) => line(field, field === 'group_base'))}
        {attributes.map((field) => line(field))}
      </div>
      <Field
        optional
        label={of('ca')}
        hint={t('administration.sign_on.ca_hint')}
        error={errorOf('settings.ca')}
      >
        <Textarea
          className="max-h-40 font-mono text-13!"
          rows={2}
          spellCheck={false}
          maxLength={100_000}
          value={settings.ca}
          onChange={({ target }) => onChange({ ca: target.value })}
        />
      </Field>
    </>
  )
}
