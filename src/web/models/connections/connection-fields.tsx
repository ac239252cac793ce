import type { ModelConnection } from '#shared/models/connections/connections.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Field } from '../../platform/ui/field.tsx'
import { Input, PasswordInput } from '../../platform/ui/input.tsx'
import { needsKey, takesModelIds } from './connection-draft.ts'
import { KindFields } from './fields/kind-fields.tsx'
import { ModelIdsField } from './fields/model-ids-field.tsx'
import type { ConnectionForm } from './use-connection-form.ts'

/** Name, key and address of a connection, with a test button. */
export function ConnectionFields({ form, stored }: { form: ConnectionForm; stored: ModelConnection | null }) {
  const { t } = useTranslation('admin')
  const { draft, problems, test, testKind } = form
  const provider = draft.form
  const [group] = draft.groups
  const set = (field: 'name' | 'apiKey' | 'baseUrl') => (event: { target: { value: string } }) =>
    form.change({ ...draft, [field]: event.target.value })
  const textOf = (field: string) => problems[field] && t(`models.form.${problems[field]}`)
  const keyHint = provider.key_hint ? t(`models.form.${provider.key_hint}`) : undefined
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
          label={t(group ? `models.form.secrets.${group}` : `models.form.${provider.key_label}`)}
          optional={!needsKey(draft)}
          hint={keptKey ?? (group ? undefined : keyHint)}
          error={textOf('apiKey')}
        >
          <PasswordInput autoComplete="off" value={draft.apiKey} onChange={set('apiKey')} />
        </Field>
      </div>
      <Field
        label={t('models.form.url')}
        optional={provider.url === 'optional'}
        error={textOf('baseUrl')}
        hint={t(`models.form.${provider.url_hint}`)}
      >
        <div className="flex gap-2">
          <Input
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            className="font-mono text-13!"
            placeholder={provider.example_url}
            value={draft.baseUrl}
            onChange={set('baseUrl')}
          />
          <Button type="submit" busy={test.isPending} disabled={testKind === 'key_needed'}>
            {t(test.data || test.isError ? 'models.form.test_again' : 'models.form.test')}
          </Button>
        </div>
      </Field>
      <KindFields form={form} />
      {takesModelIds(draft) && <ModelIdsField form={form} />}
      {testKind === 'key_needed' && <p className="text-12 text-ink-2">{t('models.form.key_needed')}</p>}
    </>
  )
}
