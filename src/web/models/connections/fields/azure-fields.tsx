import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Checkbox } from '../../../platform/ui/checkbox.tsx'
import { Field } from '../../../platform/ui/field.tsx'
import { Input } from '../../../platform/ui/input.tsx'
import type { ConnectionDraft } from '../connection-draft.ts'
import type { ConnectionForm } from '../use-connection-form.ts'

type TextField = 'apiVersion' | 'tenantId' | 'clientId' | 'authority'

/** Version of the API, and the application of Entra ID that signs in instead of a key. */
export function AzureFields({ form }: { form: ConnectionForm }) {
  const { t } = useTranslation('admin')
  const { draft, problems, change } = form
  const inputOf = (field: TextField, placeholder?: string) => (
    <Input
      autoComplete="off"
      spellCheck={false}
      className="font-mono text-13!"
      placeholder={placeholder}
      value={draft[field]}
      onChange={({ target }) => change({ ...draft, [field]: target.value } satisfies ConnectionDraft)}
    />
  )
  return (
    <>
      <Field label={t('models.form.api_version')} optional hint={t('models.form.api_version_hint')}>
        {inputOf('apiVersion', 'v1')}
      </Field>
      <Checkbox
        label={t('models.form.entra')}
        checked={draft.usesEntra}
        onCheckedChange={(usesEntra) => change({ ...draft, usesEntra })}
      />
      {draft.usesEntra && (
        <div className="grid gap-3.5 sm:grid-cols-2">
          <Field
            label={t('models.form.tenant')}
            error={problems.tenantId && t(`models.form.${problems.tenantId}`)}
          >
            {inputOf('tenantId')}
          </Field>
          <Field
            label={t('models.form.client')}
            error={problems.clientId && t(`models.form.${problems.clientId}`)}
          >
            {inputOf('clientId')}
          </Field>
          <Field
            className="sm:col-span-2"
            label={t('models.form.authority')}
            optional
            hint={t('models.form.authority_hint')}
            error={problems.authority && t(`models.form.${problems.authority}`)}
          >
            {inputOf('authority', 'https://login.microsoftonline.com')}
          </Field>
        </div>
      )}
    </>
  )
}
