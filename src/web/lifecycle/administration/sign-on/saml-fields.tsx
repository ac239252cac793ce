import type { SamlSettings } from '#shared/identity/accounts/sign-on-providers.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Checkbox } from '../../../platform/ui/checkbox.tsx'
import { Field } from '../../../platform/ui/field.tsx'
import { Textarea } from '../../../platform/ui/input.tsx'
import type { FieldsProps } from './provider-draft.ts'
import { GivenAddress, TextField } from './text-field.tsx'

/** A SAML identity provider. */
export function SamlFields({
  settings,
  name,
  address,
  errorOf,
  onChange,
  onDraft,
}: FieldsProps<SamlSettings>) {
  const { t } = useTranslation('admin')
  const of = (field: string) => t(`administration.sign_on.field.${field}`)
  return (
    <>
      <TextField
        label={of('name')}
        value={name}
        maxLength={40}
        error={errorOf('name')}
        onValue={(value) => onDraft({ name: value })}
      />
      <Field
        label={of('metadata')}
        hint={t('administration.sign_on.metadata_hint')}
        error={errorOf('settings.metadata')}
      >
        <Textarea
          className="max-h-40 font-mono text-13!"
          rows={2}
          spellCheck={false}
          autoCapitalize="off"
          value={settings.metadata}
          onChange={({ target }) => onChange({ metadata: target.value })}
        />
      </Field>
      <div className="sign-on-pair">
        <GivenAddress label={of('entity_id')} value={`${address}/metadata`} />
        <GivenAddress label={of('acs')} value={`${address}/callback`} />
      </div>
      <div className="sign-on-pair">
        {(['email_attribute', 'name_attribute', 'groups_attribute'] as const).map((field) => (
          <TextField
            key={field}
            mono
            optional
            label={of(field)}
            value={settings[field]}
            error={errorOf(`settings.${field}`)}
            onValue={(value) => onChange({ [field]: value })}
          />
        ))}
      </div>
      <div className="grid justify-items-start gap-2">
        <Checkbox
          className="text-13"
          label={t('administration.sign_on.signs_out')}
          checked={settings.signs_out}
          onCheckedChange={(signs_out) => onChange({ signs_out })}
        />
        <Checkbox
          className="text-13"
          label={t('administration.sign_on.accepts_sha1')}
          checked={settings.accepts_sha1}
          onCheckedChange={(accepts_sha1) => onChange({ accepts_sha1 })}
        />
      </div>
    </>
  )
}
