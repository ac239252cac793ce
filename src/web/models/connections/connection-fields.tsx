import type { ModelConnection } from '#shared/models/connections/connections.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Field } from '../../platform/ui/field.tsx'
import { Input, PasswordInput } from '../../platform/ui/input.tsx'
import { type ConnectionDraft, needsKey, needsUrl, providerOf, takesModelIds } from './connection-draft.ts'
import { AzureFields } from './fields/azure-fields.tsx'
import { ModelIdsField } from './fields/model-ids-field.tsx'
import type { ConnectionForm } from './use-connection-form.ts'

/** Name, key and address of a connection, with a test button. */
export function ConnectionFields({ form, stored }: { form: ConnectionForm; stored: ModelConnection | null }) {
  const { t } = useTranslation('admin')
  const { draft, problems, test, testKind } = form
  const provider = providerOf(draft.kind)
  const isAzure = draft.kind === 'azure'
  const set = (field: keyof ConnectionDraft) => (event: { target: { value: string } }) =>
    form.change({ ...draft, [field]: event.target.value })
  const textOf = (field: keyof typeof problems) => problems[field] && t(`models.form.${problems[field]}`)
  const keptKey = stored?.has_key ? t('models.form.key_kept', { hint: stored.key_hint ?? '' }) : undefined
  return (
    <>
      <div className="grid gap-3.5 sm:grid-cols-2">
        <Field label={t('models.form.name')} error={textOf('name')}>
          <Input
            autoComplete="off"
            placeholder={t('models.form.name_placeholder')}
            value={draft.name}
            onChange={set('name')}
          />
        </Field>
        <Field
          label={t(isAzure && draft.usesEntra ? 'models.form.secret' : 'models.form.key')}
          optional={!needsKey(draft)}
          hint={keptKey}
          error={textOf('apiKey')}
        >
          <PasswordInput autoComplete="off" value={draft.apiKey} onChange={set('apiKey')} />
        </Field>
      </div>
      <Field
        label={t('models.form.url')}
        optional={!needsUrl(draft.kind)}
        error={textOf('baseUrl')}
        hint={t(`models.form.${provider.urlHint}`)}
      >
        <div className="flex gap-2">
          <Input
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            className="font-mono text-13!"
            placeholder={provider.exampleUrl}
            value={draft.baseUrl}
            onChange={set('baseUrl')}
          />
          <Button type="submit" busy={test.isPending} disabled={testKind === 'key_needed'}>
            {t(test.data || test.isError ? 'models.form.test_again' : 'models.form.test')}
          </Button>
        </div>
      </Field>
      {isAzure && <AzureFields form={form} />}
      {takesModelIds(draft) && <ModelIdsField form={form} />}
      {testKind === 'key_needed' && <p className="text-12 text-ink-2">{t('models.form.key_needed')}</p>}
    </>
  )
}
