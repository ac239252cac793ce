import { API_BASE } from '#shared/platform/http.ts'
import { ACCOUNT_RETURN } from '#shared/tools/own-tools/accounts.ts'
import type { HttpAuth } from '#shared/tools/own-tools/http-call.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Field } from '../../../platform/ui/field.tsx'
import { Input } from '../../../platform/ui/input.tsx'

type OAuth = Extract<HttpAuth, { kind: 'oauth2_client' | 'oauth2_user' }>
type Props = { auth: OAuth; onChange: (auth: OAuth) => void }

/** Token endpoint and scopes. */
export function OAuthFields({ auth, onChange }: Props) {
  const { t } = useTranslation('own_tools')
  return (
    <>
      {auth.kind === 'oauth2_user' && (
        <>
          <p className="text-12 text-ink-3">{t('auth.user_text')}</p>
          <Field label={t('auth.return_url')} hint={t('auth.return_url_hint')}>
            <Input
              readOnly
              value={`${location.origin}${API_BASE}${ACCOUNT_RETURN}`}
              className="font-mono"
              onFocus={({ target }) => target.select()}
            />
          </Field>
          <Text
            label={t('auth.client_id')}
            value={auth.client_id}
            onChange={(client_id) => onChange({ ...auth, client_id })}
          />
          <Text
            label={t('auth.authorize_url')}
            value={auth.authorize_url}
            onChange={(authorize_url) => onChange({ ...auth, authorize_url })}
          />
        </>
      )}
      <Text
        label={t('auth.token_url')}
        value={auth.token_url}
        onChange={(token_url) => onChange({ ...auth, token_url })}
      />
      {auth.kind === 'oauth2_user' && (
        <Text
          optional
          label={t('auth.revoke_url')}
          value={auth.revoke_url}
          onChange={(revoke_url) => onChange({ ...auth, revoke_url })}
        />
      )}
      <Field label={t('auth.scopes')} optional hint={t('auth.scopes_hint')}>
        <Input
          defaultValue={auth.scopes.join(' ')}
          spellCheck={false}
          className="font-mono"
          onChange={({ target }) => onChange({ ...auth, scopes: target.value.split(/\s+/).filter(Boolean) })}
        />
      </Field>
    </>
  )
}

type TextProps = { label: string; value: string; optional?: boolean; onChange: (value: string) => void }

function Text({ label, value, optional = false, onChange }: TextProps) {
  return (
    <Field label={label} optional={optional}>
      <Input
        value={value}
        maxLength={2_000}
        spellCheck={false}
        className="font-mono"
        onChange={({ target }) => onChange(target.value)}
      />
    </Field>
  )
}
