import type { ChannelChanges } from '#shared/api/channels/channels.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Field } from '../../platform/ui/field.tsx'
import { Input } from '../../platform/ui/input.tsx'

export type Draft = ChannelChanges
export type FieldsProps = { draft: Draft; isNew: boolean; onChange: (part: Partial<Draft>) => void }

/** The secrets of both sides. Stored ones are never shown. */
export function SecretFields({ draft, isNew, onChange }: FieldsProps) {
  const { t } = useTranslation('channels')
  const isSlack = draft.kind === 'slack'
  return (
    <div className="grid gap-4 md:grid-cols-2">
      {!isSlack && (
        <>
          <Field label={t('app_id')}>
            <Input
              required
              value={draft.app_id}
              onChange={({ target }) => onChange({ app_id: target.value.trim() })}
            />
          </Field>
          <Field label={t('tenant_id')}>
            <Input
              required
              value={draft.tenant_id}
              onChange={({ target }) => onChange({ tenant_id: target.value.trim() })}
            />
          </Field>
        </>
      )}
      <Field label={t(isSlack ? 'signing_secret' : 'client_secret')} hint={t(isNew ? 'sealed' : 'kept')}>
        <Input
          type="password"
          autoComplete="new-password"
          required={isNew}
          value={draft.secret ?? ''}
          onChange={({ target }) => onChange({ secret: target.value || undefined })}
        />
      </Field>
      {isSlack && (
        <Field label={t('bot_token')} hint={t(isNew ? 'sealed' : 'kept')}>
          <Input
            type="password"
            autoComplete="new-password"
            required={isNew}
            value={draft.token ?? ''}
            onChange={({ target }) => onChange({ token: target.value || undefined })}
          />
        </Field>
      )}
    </div>
  )
}
