import {
  type HttpAuth,
  type KeptSecret,
  neededSecretsOf,
  secretsOf,
} from '#shared/tools/own-tools/http-call.ts'
import { formatDate } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Field } from '../../../platform/ui/field.tsx'
import { Input, PasswordInput } from '../../../platform/ui/input.tsx'
import { Select } from '../../../platform/ui/select.tsx'
import type { SectionProps } from './general-section.tsx'
import { OAuthFields } from './oauth-fields.tsx'

const plain: Record<HttpAuth['kind'], HttpAuth> = {
  none: { kind: 'none' },
  api_key: { kind: 'api_key', place: 'header', name: 'X-Api-Key' },
  basic: { kind: 'basic' },
  bearer: { kind: 'bearer' },
  oauth2_client: { kind: 'oauth2_client', token_url: '', scopes: [] },
  oauth2_user: {
    kind: 'oauth2_user',
    ...{ authorize_url: '', token_url: '', revoke_url: '', client_id: '', scopes: [] },
  },
}
const kinds = Object.keys(plain) as HttpAuth['kind'][]
const keyPlaces = ['header', 'query', 'cookie'] as const

type AuthFieldsProps = { auth: HttpAuth; onChange: (auth: HttpAuth) => void }

/** Auth scheme of the calls. */
export function AuthFields({ auth, onChange }: AuthFieldsProps) {
  const { t } = useTranslation('own_tools')
  return (
    <>
      <Field label={t('auth.title')}>
        <Select
          value={auth.kind}
          onValueChange={(value) => onChange(plain[kinds.find((kind) => kind === value) ?? 'none'])}
          options={kinds.map((value) => ({ value, label: t(`auth.${value}`) }))}
        />
      </Field>
      {auth.kind === 'api_key' && (
        <div className="grid gap-3 md:grid-cols-2">
          <Field label={t('auth.place')}>
            <Select
              value={auth.place}
              onValueChange={(value) =>
                onChange({ ...auth, place: keyPlaces.find((place) => place === value) ?? 'header' })
              }
              options={keyPlaces.map((value) => ({ value, label: t(`places.${value}`) }))}
            />
          </Field>
          <Field label={t('auth.name')}>
            <Input
              value={auth.name}
              maxLength={100}
              spellCheck={false}
              className="font-mono"
              onChange={({ target }) => onChange({ ...auth, name: target.value })}
            />
          </Field>
        </div>
      )}
      {(auth.kind === 'oauth2_client' || auth.kind === 'oauth2_user') && (
        <OAuthFields key={auth.kind} {...{ auth, onChange }} />
      )}
    </>
  )
}

type SecretFieldsProps = {
  auth: HttpAuth
  kept: readonly KeptSecret[]
  values: Record<string, string>
  onChange: (values: Record<string, string>) => void
}

/** Secrets of an auth scheme. A stored secret can be replaced but never read. */
export function SecretFields({ auth, kept, values, onChange }: SecretFieldsProps) {
  const { t } = useTranslation('own_tools')
  return secretsOf(auth).map((name) => {
    const known = kept.find((one) => one.name === name)
    return (
      <Field
        key={name}
        label={t(`secrets.${name}`)}
        optional={!neededSecretsOf(auth).includes(name)}
        hint={known ? t('secrets.kept', { date: formatDate(known.updated_at) }) : t('secrets.hint')}
      >
        <PasswordInput
          value={values[name] ?? ''}
          maxLength={10_000}
          autoComplete="off"
          placeholder={known ? '••••••••' : ''}
          onChange={({ target }) => onChange({ ...values, [name]: target.value })}
        />
      </Field>
    )
  })
}

/** Auth scheme of the calls and its secrets. */
export function AccessSection({ draft, change, kept }: SectionProps & { kept: readonly KeptSecret[] }) {
  const { auth, secrets } = draft
  return (
    <>
      <AuthFields auth={auth} onChange={(next) => change({ auth: next })} />
      <SecretFields {...{ auth, kept }} values={secrets} onChange={(next) => change({ secrets: next })} />
    </>
  )
}
