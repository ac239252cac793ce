import { DEFAULT_ADDRESSES, DEFAULT_TEAMS } from '#shared/api/channels/channels.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Field } from '../../platform/ui/field.tsx'
import { Input } from '../../platform/ui/input.tsx'
import type { FieldsProps } from './secret-fields.tsx'

/** Addresses of a cloud other than the public one, such as those of governments. */
export function CloudFields({ draft, onChange }: FieldsProps) {
  const { t } = useTranslation('channels')
  return (
    <details>
      <summary className="w-fit cursor-pointer text-13 text-ink-2">{t('cloud')}</summary>
      <div className="mt-3 grid gap-4 md:grid-cols-2">
        <Field label={t('address')} optional>
          <Input
            value={draft.address}
            placeholder={DEFAULT_ADDRESSES[draft.kind]}
            onChange={({ target }) => onChange({ address: target.value.trim() })}
          />
        </Field>
        {draft.kind === 'teams' && (
          <>
            <Field label={t('graph')} optional>
              <Input
                value={draft.graph}
                placeholder={DEFAULT_TEAMS.graph}
                onChange={({ target }) => onChange({ graph: target.value.trim() })}
              />
            </Field>
            <Field label={t('issuer')} optional>
              <Input
                value={draft.issuer}
                placeholder={DEFAULT_TEAMS.issuer}
                onChange={({ target }) => onChange({ issuer: target.value.trim() })}
              />
            </Field>
            <Field label={t('services')} hint={t('services_hint')} optional>
              <Input
                value={draft.services.join(' ')}
                placeholder={DEFAULT_TEAMS.services.join(' ')}
                onChange={({ target }) =>
                  onChange({ services: target.value.split(' ').filter((one) => one !== '') })
                }
              />
            </Field>
          </>
        )}
      </div>
    </details>
  )
}
