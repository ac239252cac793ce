import type { OidcSettings } from '#shared/identity/accounts/sign-on-providers.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Checkbox } from '../../../platform/ui/checkbox.tsx'
import type { FieldsProps } from './provider-draft.ts'
import { GivenAddress, SecretField, TextField } from './text-field.tsx'

/** An OpenID Connect issuer. */
export function OidcFields({
  settings,
  name,
  secret,
  secretHint,
  address,
  errorOf,
  onChange,
  onDraft,
}: FieldsProps<OidcSettings>) {
  const { t } = useTranslation('admin')
  const of = (field: string) => t(`administration.sign_on.field.${field}`)
  return (
    <>
      <div className="sign-on-pair">
        <TextField
          label={of('name')}
          value={name}
          maxLength={40}
          error={errorOf('name')}
          onValue={(value) => onDraft({ name: value })}
        />
        <TextField
          mono
          label={of('issuer')}
          placeholder="https://login.example.com/realms/main"
          value={settings.issuer}
          error={errorOf('settings.issuer')}
          onValue={(issuer) => onChange({ issuer })}
        />
        <TextField
          mono
          label={of('client_id')}
          value={settings.client_id}
          error={errorOf('settings.client_id')}
          onValue={(client_id) => onChange({ client_id })}
        />
        <SecretField
          label={of('client_secret')}
          value={secret}
          hint={secretHint}
          error={errorOf('secret')}
          onValue={(value) => onDraft({ secret: value })}
        />
      </div>
      <GivenAddress label={t('administration.sign_on.callback')} value={`${address}/callback`} />
      <div className="sign-on-pair">
        <TextField
          mono
          optional
          label={of('groups_claim')}
          hint={t('administration.sign_on.groups_claim_hint')}
          value={settings.groups_claim}
          error={errorOf('settings.groups_claim')}
          onValue={(groups_claim) => onChange({ groups_claim })}
        />
        <TextField
          mono
          label={of('scopes')}
          value={settings.scopes}
          error={errorOf('settings.scopes')}
          onValue={(scopes) => onChange({ scopes })}
        />
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
          label={t('administration.sign_on.asks_graph')}
          checked={settings.asks_graph}
          onCheckedChange={(asks_graph) => onChange({ asks_graph })}
        />
      </div>
    </>
  )
}
